import { Button, Stack } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { History, MessageCircle } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { PageButton } from '../../shared/links.js'
import { Loading } from '../../shared/loaded.js'
import { Page } from '../../shared/page.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent, Publication } from '../agent.js'
import { AgentStateBadge } from '../agent-state-badge.js'
import { FilesChangedContext } from '../knowledge/knowledge-queries.js'
import type { Section } from '../sections.js'
import classes from './agent-editor.module.css'
import { AgentFormProvider, sectionsWithErrors } from './agent-form.js'
import { AgentMenu } from './agent-menu.js'
import { fieldErrorOf, isRevisionConflict } from './field-errors.js'
import { OutdatedAlert } from './outdated-alert.js'
import { ProblemList } from './problem-list.js'
import { PublishDialog } from './publish-dialog.js'
import { PublishedAlert } from './published-alert.js'
import { RecordingDraftContext, type RecordingSettings } from './recording-draft.js'
import { SectionTabs } from './section-tabs.js'
import { SaveBar, UnsavedGuard } from './unsaved-changes.js'
import { type AgentEditorState, useAgentEditor } from './use-agent-editor.js'

/** Loaded when it is opened, because the code for conversations is large. */
const DraftConversation = lazy(async () => {
  const { DraftConversation: component } = await import('./draft-conversation.js')
  return { default: component }
})

/** The section in the URL. */
const useSection = () => {
  const { section = 'general' } = useSearch({ from: '/signed-in/agents/$agentId' })
  const navigate = useNavigate()
  const open = (wanted: Section) =>
    navigate({ from: '/agents/$agentId', to: '.', search: { section: wanted }, replace: true, resetScroll: false })
  return { section, open }
}

/**
 * Returns a function that saves the form, and otherwise opens the first section with an error. It resolves to whether the
 * form is saved. Saves are sequential: a later one waits for the previous one, and sends the changes that are then unsaved.
 */
const useSaveForm = ({ form, save }: AgentEditorState, open: (section: Section) => unknown) => {
  const openFirst = (errors: AgentEditorState['form']['errors']) => {
    const [first] = sectionsWithErrors(errors)
    if (first !== undefined) open(first)
  }
  const last = useRef<Promise<boolean>>(undefined)
  const saveNow = async (overChanges: boolean): Promise<boolean> => {
    if (!form.isDirty()) return true
    const { hasErrors, errors } = form.validate()
    if (hasErrors) {
      openFirst(errors)
      return false
    }
    try {
      await save.mutateAsync({ draft: form.getValues(), overChanges })
      return true
    } catch (error) {
      openFirst(fieldErrorOf(error))
      return false
    }
  }
  return (overChanges = false): Promise<boolean> => {
    const before = last.current
    const saved =
      before === undefined ? saveNow(overChanges) : before.then((isSaved) => isSaved && saveNow(overChanges))
    last.current = saved
    void saved.finally(() => {
      if (last.current === saved) last.current = undefined
    })
    return saved
  }
}

/** The error of a save that neither a field nor another alert shows. */
const otherProblem = (error: unknown): unknown =>
  error === null || isRevisionConflict(error) || Object.keys(fieldErrorOf(error)).length > 0 ? null : error

interface AgentEditorProps {
  readonly loaded: Agent
  /** Reloads the Agent and resets the form. Rejects with the body of the error. */
  onReload(): Promise<void>
}

/** The editor of the draft of an Agent. */
export const AgentEditor = ({ loaded, onReload }: AgentEditorProps) => {
  const editor = useAgentEditor(loaded)
  const { agent, form, check, save, isOutdated, discard, filesChanged, markPublished } = editor
  const { section, open } = useSection()
  const saveForm = useSaveForm(editor, open)
  const [isPublishing, dialog] = useDisclosure(false)
  const [isTalking, conversation] = useDisclosure(false)
  const [published, setPublished] = useState<Publication>()
  const [recording, setRecording] = useState<RecordingSettings>()
  const isDirty = form.isDirty()
  useHotkeys([['mod+S', ({ repeat }) => void (repeat || saveForm())]], [])
  const publish = async () => {
    if (await saveForm()) dialog.open()
  }
  return (
    <AgentFormProvider form={form}>
      <Page
        title={agent.display_name}
        description={<AgentStateBadge agent={agent} />}
        actions={
          <>
            <PageButton
              to="/agents/$agentId/history"
              params={{ agentId: agent.id }}
              variant="default"
              leftSection={<History />}
            >
              History
            </PageButton>
            <Button
              variant="default"
              aria-expanded={isTalking}
              leftSection={<MessageCircle />}
              onClick={conversation.toggle}
            >
              Talk with the draft
            </Button>
            <Button loading={save.isPending} onClick={publish}>
              {isDirty ? 'Save and publish' : 'Publish'}
            </Button>
            <AgentMenu agent={agent} />
          </>
        }
      >
        {isTalking && (
          <div className={classes.conversation}>
            <Suspense fallback={<Loading />}>
              <DraftConversation agentId={agent.id} saveForm={saveForm} />
            </Suspense>
          </div>
        )}
        <Stack gap="sm">
          {isOutdated ? (
            <OutdatedAlert
              isDirty={isDirty}
              isSaving={save.isPending}
              onReload={onReload}
              onSaveOver={() => saveForm(true)}
            />
          ) : (
            check.data !== undefined && <ProblemList check={check.data} onOpen={open} />
          )}
          <ProblemAlert error={otherProblem(save.error)} />
          {published !== undefined && (
            <PublishedAlert publication={published} onClose={() => setPublished(undefined)} />
          )}
          <RecordingDraftContext value={{ draft: recording, setDraft: setRecording }}>
            <FilesChangedContext value={filesChanged}>
              <SectionTabs section={section} onChange={open} />
            </FilesChangedContext>
          </RecordingDraftContext>
          {isDirty && <SaveBar isSaving={save.isPending} onSave={() => saveForm()} onDiscard={discard} />}
        </Stack>
      </Page>
      {isPublishing && (
        <PublishDialog
          agent={agent}
          onClose={dialog.close}
          onPublished={(publication) => {
            markPublished(publication)
            setPublished(publication)
          }}
          onOpen={(wanted) => {
            dialog.close()
            open(wanted)
          }}
        />
      )}
      <UnsavedGuard isDirty={isDirty || recording !== undefined} />
    </AgentFormProvider>
  )
}
