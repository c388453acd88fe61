import { Badge, Code, Text, TextInput } from '@mantine/core'
import { KeyRound, Plus } from 'lucide-react'
import { keyVariable } from '../agents/integrate/snippets.js'
import { api } from '../api/api.js'
import { useWorkspace } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { CopyField } from '../shared/copy-field.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { DialogForm } from '../shared/form.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { PagedList } from '../shared/paged-list.js'
import { Section } from '../shared/section.js'
import { ShownOnceDialog } from '../shared/shown-once-dialog.js'
import { type ApiKey, useCreateKey, useKeys, useRevokeKey } from './key-queries.js'

const join = (...parts: readonly string[]): string => parts.join(' \\\n  ')

const withVoice = (key: string, voiceId: string): string =>
  join(
    `curl -fsS ${location.origin}/v1/tts`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: application/json"',
    `-d '{"text":"Hello from Parlance.","voice_id":"${voiceId}"}'`,
    '--output hello.mp3',
  )

const withoutVoice = (key: string): string =>
  join(`curl -fsS ${location.origin}/v1/agents`, `-H "Authorization: Bearer ${key}"`)

interface CallCommand {
  readonly command: string
  /** Whether it saves speech, in the file hello.mp3. */
  readonly savesSpeech: boolean
}

/** A command that calls the API of this address with a key, or with that of the variable. */
const useCallCommand = (key = `$${keyVariable}`): CallCommand => {
  const canSpeak = useWorkspace().capabilities.includes('tts')
  const { data } = api.useQuery(
    'get',
    '/dashboard/api/v1/voices',
    // The text of the command is English.
    { params: { query: { limit: 100, language: 'en' } } },
    { enabled: canSpeak },
  )
  const voice = data?.voices.find(({ status }) => status === 'available')
  return voice === undefined
    ? { command: withoutVoice(key), savesSpeech: false }
    : { command: withVoice(key, voice.id), savesSpeech: true }
}

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Label',
    cell: ({ label, prefix }) => (
      <>
        <RowTitle>{label}</RowTitle>
        <Code hiddenFrom="sm">{prefix}…</Code>
      </>
    ),
  },
  { header: 'Key', cell: ({ prefix }) => <Code>{prefix}…</Code>, wideOnly: true },
  {
    header: 'Status',
    cell: ({ status }) => (
      <Badge color={status === 'active' ? 'teal' : 'gray'}>{status === 'active' ? 'Active' : 'Revoked'}</Badge>
    ),
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Moment at={last_used_at} />),
    wideOnly: true,
  },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
]

/** The keys of the workspace, and the way to revoke one. */
const KeyTable = ({ keys }: { readonly keys: readonly ApiKey[] }) => {
  const revoke = useRevokeKey()
  return (
    <DataTable
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={columns}
      isWhole
      actions={({ id, label, status }) =>
        status === 'active' && (
          <ConfirmButton
            {...rowButton}
            label="Revoke"
            name={`Revoke ${label}`}
            title={`Revoke “${label}”?`}
            confirm="Revoke the key"
            mutation={revoke}
            variables={{ params: { path: { keyId: id } } }}
          >
            Requests with this key are refused at once, and conversations and streams that it started end. A revoked key
            cannot be restored.
          </ConfirmButton>
        )
      }
    />
  )
}

/** A command that contains the new key. */
const FirstCall = ({ apiKey }: { readonly apiKey: string }) => {
  const { command, savesSpeech } = useCallCommand(apiKey)
  return (
    <>
      <Text>{savesSpeech ? 'Try it in a terminal. This saves speech as hello.mp3:' : 'Try it in a terminal:'}</Text>
      <CopyField name="the first call" value={command} />
    </>
  )
}

/** Asks for the label, and shows the value of the new key once. */
const CreateKeyDialog = ({ onClose }: { onClose(): void }) => {
  const create = useCreateKey()
  const { data: made } = create
  return (
    <ShownOnceDialog
      onClose={onClose}
      title={made === undefined ? 'Create a key' : `The key “${made.label}”`}
      name="the key"
      value={made?.key}
      next={made && <FirstCall apiKey={made.key} />}
    >
      <DialogForm
        label="Create"
        mutation={create}
        onSubmit={({ label = '' }) => create.mutate({ body: { label: label.trim() } })}
        onCancel={onClose}
      >
        {(field) => (
          <TextInput
            {...field('label')}
            label="Label"
            description="What the key is for, such as the name of a backend."
            required
            maxLength={200}
            pattern=".*\S.*"
            data-autofocus
          />
        )}
      </DialogForm>
    </ShownOnceDialog>
  )
}

/** A command that works here as soon as the variable has a key. */
const CallExample = () => {
  const { command } = useCallCommand()
  return (
    <Section title="Call the API">
      <Text>
        Set the variable with <Code>export {keyVariable}=awp_…</Code>, then run this command:
      </Text>
      <CopyField name="the command" value={command} />
    </Section>
  )
}

export const KeysPage = () => (
  <Page
    title="API keys"
    description="Your backends call Parlance with a key. Keep keys on servers. Never put a key in a page or an app."
    actions={
      <DialogButton leftSection={<Plus />} label="Create a key">
        {(close) => <CreateKeyDialog onClose={close} />}
      </DialogButton>
    }
  >
    <PagedList
      list={useKeys()}
      empty={
        <Empty icon={KeyRound} title="No API key yet">
          Create one, and call the API with it.
        </Empty>
      }
      more="Show older keys"
    >
      {(keys) => <KeyTable keys={keys} />}
    </PagedList>
    <CallExample />
  </Page>
)
