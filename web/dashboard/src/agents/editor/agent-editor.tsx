import { ActionIcon, Alert, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type ShouldBlockFn, useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, Ellipsis, History, MessageCircle, Trash2, UsersRound } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { api } from '../../api/api.js'
import { isAtLeast } from '../../session/roles.js'
import { useWorkspace } from '../../session/signed-in.js'
import { ConfirmDialog } from '../../shared/confirm-dialog.js'
import { Dialog } from '../../shared/dialog.js'
import { DialogButtons } from '../../shared/form.js'
import { PageAnchor, PageButton } from '../../shared/links.js'
import { Loading } from '../../shared/loaded.js'
import { Page } from '../../shared/page.js'
import { ProblemAlert } from '../../shared/problem-alert.js'
import type { Agent, Publication } from '../agent.js'
import { AgentStateBadge } from '../agent-state-badge.js'
import { FilesChangedContext } from '../knowledge/knowledge-queries.js'
import type { Section } from '../sections.js'
import classes from './agent-editor.module.css'
import { AgentFormProvider, sectionsWithErrors } from './agent-form.js'
import { fieldErrorOf, isRevisionConflict } from './field-errors.js'
import { ProblemList } from './problem-list.js'
import { PublishDialog } from './publish-dialog.js'
import { RecordingDraftContext, type RecordingSettings } from './recording-draft.js'
import { SectionTabs } from './section-tabs.js'
import { type AgentEditorState, useAgentEditor } from './use-agent-editor.js'

interface OutdatedAlertProps {
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Rejects with the body of the error. */
  onReload(): Promise<void>
  onSaveOver(): void
}

/** Reports that another person saved the Agent meanwhile, and offers to reload or to save. */
const OutdatedAlert = ({ isDirty, isSaving, onReload, onSaveOver }: OutdatedAlertProps) => {
  const reload = useMutation({ mutationFn: onReload })
  return (
    <Alert role="alert" color="yellow" icon={<UsersRound />}>
      <Stack gap="xs">
        <Text>
          Another person changed this Agent since you opened it.
          {isDirty &&
            ' Reload it and lose your changes, or save yours: fields that you did not change stay as they were saved.'}
        </Text>
        <ProblemAlert error={reload.error} />
        <Group gap="xs">
          <Button size="xs" variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
            Reload
          </Button>
          {isDirty && (
            <Button size="xs" variant="default" loading={isSaving} onClick={onSaveOver}>
              Save my changes
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

interface PublishedAlertProps {
  readonly publication: Publication
  onClose(): void
}

/** Shown after a publication: what it changed, and what comes next. */
const PublishedAlert = ({ publication, onClose }: PublishedAlertProps) => {
  const mayMakeKeys = isAtLeast(useWorkspace().role, 'admin')
  return (
    <Alert
      role="status"
      color="green"
      icon={<CircleCheck />}
      title={`Publication ${publication.version} is live`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text>
        New conversations use it.{' '}
        {mayMakeKeys ? (
          <>
            Your own pages and programs start them with a key:{' '}
            <PageAnchor to="/keys" inherit underline="always">
              make an API key
            </PageAnchor>
            .
          </>
        ) : (
          'Your own pages and programs start them with a key, which an Owner or an Admin makes.'
        )}
      </Text>
    </Alert>
  )
}

/** Rarely used actions. */
const AgentMenu = ({ agent }: { readonly agent: Agent }) => {
  const navigate = useNavigate()
  const remove = api.useMutation('delete', '/dashboard/api/v1/agents/{agentId}', {
    // There is nothing left to save.
    onSuccess: () => navigate({ to: '/agents', ignoreBlocker: true }),
  })
  const [isDeleting, dialog] = useDisclosure(false, { onClose: remove.reset })
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={36} aria-label="More">
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Trash2 />} onClick={dialog.open}>
            Delete the Agent
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete “${agent.display_name}”?`}
          label="Delete"
          mutation={remove}
          onClose={dialog.close}
          onConfirm={() => remove.mutate({ params: { path: { agentId: agent.id } } })}
        >
          No further conversation can begin; those that are live go on to their end. Past conversations and their
          recordings stay. A deleted Agent cannot be restored.
        </ConfirmDialog>
      )}
    </>
  )
}

/** Opening another section of the same page loses nothing. */
const leavesPage: ShouldBlockFn = ({ current, next }) => current.pathname !== next.pathname

/** Asks before a person leaves the page with changes that are not saved. The browser asks when the tab is closed. */
const UnsavedGuard = ({ isDirty }: { readonly isDirty: boolean }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: leavesPage,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog onClose={reset} title="Leave without saving?">
      <Stack>
        <Text>Your changes to this Agent are not saved. You will lose them if you leave.</Text>
        <DialogButtons cancelLabel="Stay" onCancel={reset} cancelHasFocus>
          <Button color="red" onClick={proceed}>
            Leave
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

interface SaveBarProps {
  readonly isSaving: boolean
  onSave(): void
  onDiscard(): void
}

/** Shown at the end of the window while there is something to save. */
const SaveBar = ({ isSaving, onSave, onDiscard }: SaveBarProps) => (
  <Paper
    withBorder
    role="region"
    aria-label="Unsaved changes"
    pos="sticky"
    bottom="var(--mantine-spacing-sm)"
    px="md"
    py="xs"
    shadow="md"
    style={{ zIndex: 10 }}
  >
    <Group justify="space-between" gap="xs">
      <Text>Unsaved changes</Text>
      <Group gap="xs">
        <Button variant="default" disabled={isSaving} onClick={onDiscard}>
          Discard
        </Button>
        <Button loading={isSaving} onClick={onSave}>
          Save
        </Button>
      </Group>
    </Group>
  </Paper>
)

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
