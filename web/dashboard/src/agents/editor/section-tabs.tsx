import { Tabs, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { isSection, type Section, sections } from '../sections.js'
import { sectionsWithErrors, useAgentFormContext } from './agent-form.js'
import { GeneralFields } from './general-fields.js'
import { ModelFields } from './model-fields.js'
import { PromptFields } from './prompt-fields.js'
import classes from './section-tabs.module.css'
import { SessionFields } from './session-fields.js'
import { ToolFields } from './tool-fields.js'
import { TurnFields } from './turn-fields.js'
import { VoiceFields } from './voice-fields.js'

const contents: Readonly<Record<Section, () => ReactNode>> = {
  general: GeneralFields,
  prompt: PromptFields,
  voice: VoiceFields,
  model: ModelFields,
  turns: TurnFields,
  tools: ToolFields,
  sessions: SessionFields,
}

export interface SectionTabsProps {
  readonly section: Section
  onChange(section: Section): void
}

/** The fields of the Agent, a section at a time. Sections with errors are marked. */
export const SectionTabs = ({ section, onChange }: SectionTabsProps) => {
  const { errors } = useAgentFormContext()
  const wrong = sectionsWithErrors(errors)
  const Content = contents[section]
  return (
    <Tabs value={section} keepMounted={false} onChange={(value) => isSection(value) && onChange(value)}>
      <Tabs.List className={classes.list} aria-label="Sections of the Agent">
        {Object.entries(sections).map(([name, title]) => (
          <Tabs.Tab
            key={name}
            value={name}
            rightSection={
              wrong.includes(name as Section) && (
                <span className={classes.mark}>
                  <VisuallyHidden>has problems</VisuallyHidden>
                </span>
              )
            }
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={section} pt="md">
        <Content />
      </Tabs.Panel>
    </Tabs>
  )
}
