import { Anchor, NativeSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { Phone, Plus } from 'lucide-react'
import { useState } from 'react'
import { agentNameOf, useAgentNames } from '../agents/agent-names.js'
import { api, useReload } from '../api/api.js'
import type { components } from '../api/schema.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { CopyField } from '../shared/copy-field.js'
import { type Column, DataTable, RowTitle, rowButton } from '../shared/data-table.js'
import { DialogButton } from '../shared/dialog.js'
import { Empty } from '../shared/empty.js'
import { FormDialog, type FormValues } from '../shared/form.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { SecretInput } from '../shared/secret-inputs.js'

type PhoneNumber = components['schemas']['PhoneNumber']

const path = '/dashboard/api/phone-numbers'

interface Provider {
  readonly name: string
  /** What it calls the credentials of an account, and where they are. */
  readonly account: { readonly label: string; readonly description: string }
  readonly secret: string
  /** Where the address of the webhook belongs. */
  readonly webhook: string
}

const providers: Readonly<Record<PhoneNumber['provider'], Provider>> = {
  twilio: {
    name: 'Twilio',
    account: { label: 'Account SID', description: 'In Twilio’s console. It begins with AC.' },
    secret: 'Auth token',
    webhook: 'In Twilio’s console, open the number and paste this address where a call comes in (Webhook, HTTP POST):',
  },
  telnyx: {
    name: 'Telnyx',
    account: { label: 'Public key', description: 'In Telnyx’s portal, Keys & Credentials. It ends with =.' },
    secret: 'API key',
    webhook: 'In Telnyx’s portal, make a TeXML application with this address (POST), and give it the number:',
  },
  plivo: {
    name: 'Plivo',
    account: { label: 'Auth ID', description: 'In Plivo’s console. It begins with MA, or with SA.' },
    secret: 'Auth token',
    webhook: 'In Plivo’s console, make an XML application with this Answer URL (POST), and give it the number:',
  },
}
const isProvider = (name: string): name is PhoneNumber['provider'] => name in providers

/** Asks for a number, its Agent and its account. */
const NumberDialog = ({ onClose }: { onClose(): void }) => {
  const { data: agents = [] } = useAgentNames()
  const [agentId, setAgentId] = useState<string | null>(null)
  const [provider, setProvider] = useState<PhoneNumber['provider']>('twilio')
  const { account, secret } = providers[provider]
  const add = api.useMutation('post', path, { onSuccess: useReload(path) })
  const submit = ({ number = '', account_sid = '', auth_token = '' }: FormValues) => {
    const body = {
      number: number.replaceAll(/[\s()/-]/g, ''),
      agent_id: agentId ?? '',
      provider,
      account_sid: account_sid.trim(),
      auth_token: auth_token.trim(),
    }
    add.mutate({ body }, { onSuccess: onClose })
  }
  return (
    <FormDialog title="Add a phone number" label="Add" mutation={add} onSubmit={submit} onClose={onClose}>
      {(field) => (
        <>
          <TextInput
            type="tel"
            {...field('number')}
            label="Number"
            description="With its country, such as +4930123456."
            required
            maxLength={30}
            data-autofocus
          />
          <Select
            label="Agent"
            description="It must be published to answer calls."
            error={field('agent_id').error}
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
            value={agentId}
            onChange={setAgentId}
            searchable
            openOnFocus={false}
            required
          />
          <NativeSelect
            label="Provider"
            description="From which you rent the number."
            data={Object.entries(providers).map(([value, { name }]) => ({ value, label: name }))}
            value={provider}
            onChange={({ currentTarget: { value } }) => isProvider(value) && setProvider(value)}
          />
          <TextInput {...field('account_sid')} {...account} required maxLength={44} />
          <SecretInput
            {...field('auth_token')}
            label={secret}
            description="It is stored encrypted and never shown."
            required
            maxLength={200}
            showLabel="Show the secret"
          />
        </>
      )}
    </FormDialog>
  )
}

const NumberTable = ({ numbers }: { readonly numbers: readonly PhoneNumber[] }) => {
  const { data: agents } = useAgentNames()
  const remove = api.useMutation('delete', `${path}/{numberId}`, { onSuccess: useReload(path) })
  const columns: readonly Column<PhoneNumber>[] = [
    { header: 'Number', cell: ({ number }) => <RowTitle>{number}</RowTitle> },
    { header: 'Agent', cell: ({ agent_id }) => <bdi>{agentNameOf(agent_id, agents)}</bdi> },
    { header: 'Provider', cell: ({ provider }) => providers[provider].name },
    { header: 'Account', cell: ({ account_sid }) => `…${account_sid.slice(-6)}`, wideOnly: true },
    { header: 'Added', cell: ({ created_at }) => <Moment at={created_at} />, wideOnly: true },
  ]
  return (
    <Stack>
      <DataTable
        label="Phone numbers"
        rows={numbers}
        rowKey={({ id }) => id}
        columns={columns}
        actions={({ id, number }) => (
          <ConfirmButton
            {...rowButton}
            label="Delete"
            name={`Delete ${number}`}
            title={`Delete ${number}?`}
            confirm="Delete the number"
            mutation={remove}
            variables={{ params: { path: { numberId: id } } }}
          >
            Calls to it are no longer answered. The credentials of its account are deleted too.
          </ConfirmButton>
        )}
      />
      {[...new Map(numbers.map(({ provider, webhook_url }) => [provider, webhook_url]))].map(([provider, url]) => (
        <Stack key={provider} gap="xs">
          <Text>{providers[provider].webhook}</Text>
          <CopyField name={`the webhook of ${providers[provider].name}`} value={url} />
        </Stack>
      ))}
    </Stack>
  )
}

/** The telephone numbers of the workspace. */
export const PhoneNumbersPage = () => {
  const query = api.useQuery('get', path)
  return (
    <Page
      title="Phone numbers"
      description={
        <>
          Numbers that Agents answer.{' '}
          <Anchor href="/docs/telephony.html" inherit underline="always">
            From a number to a conversation
          </Anchor>
        </>
      }
      actions={
        <DialogButton leftSection={<Plus />} label="Add a number">
          {(close) => <NumberDialog onClose={close} />}
        </DialogButton>
      }
    >
      <Loaded query={query}>
        {({ numbers }) =>
          numbers.length === 0 ? (
            <Empty icon={Phone} title="No phone number yet">
              Rent a number from Twilio, Telnyx or Plivo, and choose the Agent that answers it.
            </Empty>
          ) : (
            <NumberTable numbers={numbers} />
          )
        }
      </Loaded>
    </Page>
  )
}
