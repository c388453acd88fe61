import { Tabs, VisuallyHidden } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { isAtLeast } from '../../session/roles.js'
import { useWorkspace } from '../../session/signed-in.js'
import { Loading } from '../../shared/loaded.js'
import { type Section, sections } from '../sections.js'
import { sectionsWithErrors, useAgentFormContext } from './agent-form.js'
import { GeneralFields } from './general-fields.js'
import { PromptFields } from './prompt-fields.js'
import { useRecordingDraft } from './recording-draft.js'
import classes from './section-tabs.module.css'
import { TurnFields } from './turn-fields.js'

/** Loaded when their sections are opened: they have the largest inputs. */
const EvaluationSection = lazy(async () => ({
  default: (await import('../evaluation/evaluation-section.js')).EvaluationSection,
}))
const KnowledgeSection = lazy(async () => ({
  default: (await import('../knowledge/knowledge-section.js')).KnowledgeSection,
}))
const IntegrateSection = lazy(async () => ({
  default: (await import('../integrate/integrate-section.js')).IntegrateSection,
}))
const ModelFields = lazy(async () => ({ default: (await import('./model-fields.js')).ModelFields }))
const SessionFields = lazy(async () => ({ default: (await import('./session-fields.js')).SessionFields }))
const ToolFields = lazy(async () => ({ default: (await import('./tool-fields.js')).ToolFields }))
const RecordingFields = lazy(async () => ({ default: (await import('./recording-fields.js')).RecordingFields }))
const VoiceFields = lazy(async () => ({ default: (await import('./voice-fields.js')).VoiceFields }))

const contents: Readonly<Record<Section, ComponentType>> = {
  general: GeneralFields,
  prompt: PromptFields,
  voice: VoiceFields,
  model: ModelFields,
  turns: TurnFields,
  tools: ToolFields,
  knowledge: KnowledgeSection,
  sessions: SessionFields,
  integrate: IntegrateSection,
  evaluation: EvaluationSection,
  recording: RecordingFields,
}

interface SectionTabsProps {
  readonly section: Section
  onChange(section: Section): void
}

/** Sections that only Owners and Admins see. The server also checks the role. */
const ofAdmins: readonly string[] = ['recording']

/**
 * The fields of the Agent, a section at a time. Sections with errors are marked, and one with settings that no other button
 * saves.
 */
export const SectionTabs = ({ section, onChange }: SectionTabsProps) => {
  const { errors } = useAgentFormContext()
  const { role } = useWorkspace()
  const shown = Object.entries(sections).filter(([name]) => isAtLeast(role, 'admin') || !ofAdmins.includes(name))
  const wrong = sectionsWithErrors(errors)
  const { draft } = useRecordingDraft()
  const markOf = (name: string): string | undefined => {
    if (wrong.includes(name as Section)) return 'has problems'
    return name === 'recording' && draft !== undefined ? 'not saved' : undefined
  }
  const Content = contents[section]
  const list = useRef<HTMLDivElement>(null)
  // On a narrow screen the tabs are a row that is scrolled.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]')
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [section])
  return (
    <Tabs value={section} onChange={(value) => onChange(value as Section)}>
      <Tabs.List ref={list} className={classes.list} aria-label="Sections of the Agent">
        {shown.map(([name, title]) => (
          <Tabs.Tab
            key={name}
            value={name}
            rightSection={
              markOf(name) && (
                <span className={classes.mark} data-mark={markOf(name)}>
                  <VisuallyHidden>{markOf(name)}</VisuallyHidden>
                </span>
              )
            }
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={section} pt="md">
        <Suspense fallback={<Loading />}>
          <Content />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}
