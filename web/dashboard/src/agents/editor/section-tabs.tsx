import { Stack, Switch, Tabs, Textarea, TextInput, VisuallyHidden } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { isAtLeast } from '../../session/roles.js'
import { useWorkspace } from '../../session/signed-in.js'
import { Loading } from '../../shared/loaded.js'
import { type Section, sections } from '../sections.js'
import { sectionsWithErrors, useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, NumberField } from './field-grid.js'
import { GeneralFields } from './general-fields.js'
import { useRecordingDraft } from './recording-draft.js'
import classes from './section-tabs.module.css'

const PromptFields = () => {
  const field = useField()
  const { values } = useAgentFormContext()
  return (
    <Stack>
      <NoModelNotice provider={values.llm_provider} />
      <Textarea {...field.input('system_prompt')} minRows={7} maxRows={24} dir="auto" />
      <Textarea {...field.input('first_message')} minRows={2} maxRows={6} dir="auto" />
      <Switch {...field.checkbox('first_message_interruptible')} />
    </Stack>
  )
}

const TurnFields = () => {
  const field = useField()
  const { values } = useAgentFormContext()
  const isUninterruptible = !values.turn_config.interruptions_enabled
  return (
    <Stack>
      <FieldGrid>
        <TextInput {...field.input('stt_config.language')} spellCheck={false} />
        <NumberField path="turn_config.endpointing_min_ms" step={100} />
        <NumberField path="turn_config.endpointing_max_ms" step={100} />
      </FieldGrid>
      <Switch {...field.checkbox('audio_config.noise_suppression')} />
      <Switch {...field.checkbox('turn_config.preemptive')} />
      <Switch {...field.checkbox('turn_config.interruptions_enabled')} />
      <FieldGrid>
        <NumberField path="turn_config.interruption_min_ms" step={100} disabled={isUninterruptible} />
        <NumberField path="turn_config.false_interruption_timeout_ms" step={100} disabled={isUninterruptible} />
      </FieldGrid>
    </Stack>
  )
}

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
