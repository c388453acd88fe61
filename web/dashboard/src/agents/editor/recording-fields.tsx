import { Alert, Button, Group, NumberInput, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import isEqual from 'fast-deep-equal'
import { Info } from 'lucide-react'
import { api } from '../../api/api.js'
import type { components } from '../../api/schema.js'
import { Form } from '../../shared/form.js'
import { Loaded } from '../../shared/loaded.js'
import { useRecordingDraft } from './recording-draft.js'

type AgentRecording = components['schemas']['AgentRecording']

const path = '/dashboard/api/agents/{agentId}/recording'
const maxRetentionDays = 3_650

const NoStorage = () => (
  <Alert color="yellow" icon={<Info />}>
    This installation has no storage for recordings, so nothing is recorded. Its operator sets RECORDING_FOLDER or
    RECORDING_S3_URL.
  </Alert>
)

const RecordingForm = ({ agentId, loaded }: { readonly agentId: string; readonly loaded: AgentRecording }) => {
  const { draft, setDraft } = useRecordingDraft()
  const settings = draft ?? loaded.settings
  const client = useQueryClient()
  const params = { path: { agentId } }
  const save = api.useMutation('put', path, {
    onSuccess(saved) {
      client.setQueryData(api.queryOptions('get', path, { params }).queryKey, saved)
      setDraft(undefined)
    },
  })
  const change = (changed: Partial<typeof settings>) => {
    const wanted = { ...settings, ...changed }
    setDraft(isEqual(wanted, loaded.settings) ? undefined : wanted)
    save.reset()
  }
  return (
    <Form
      mutation={save}
      onSubmit={() => save.mutate({ params, body: settings })}
      buttons={
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save recording
          </Button>
          {draft !== undefined && (
            <Button variant="subtle" disabled={save.isPending} onClick={() => setDraft(undefined)}>
              Discard
            </Button>
          )}
          <Text role="status">{draft === undefined ? save.isSuccess && 'Saved.' : 'Not saved yet.'}</Text>
        </Group>
      }
    >
      {(field) => (
        <>
          {!loaded.available && <NoStorage />}
          <Switch
            label="Record conversations"
            description="Both voices are recorded, the user and the Agent on separate channels. It applies to new conversations as soon as it is saved, and is not part of the draft."
            checked={settings.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <Switch
            label="Only with the user’s consent"
            description="Your backend or page states it with recording_consent: true in the metadata."
            checked={settings.consent_required}
            onChange={(event) => change({ consent_required: event.currentTarget.checked })}
          />
          <NumberInput
            {...field('retention_days')}
            label="Keep for"
            description="In days. Then the audio is deleted."
            value={settings.retention_days}
            min={1}
            max={maxRetentionDays}
            required
            maw={240}
            onChange={(value) => typeof value === 'number' && change({ retention_days: value })}
          />
        </>
      )}
    </Form>
  )
}

/** Whether the conversations of the Agent are recorded. Owners and Admins decide; it is not part of the draft. */
export const RecordingFields = () => {
  const { agentId } = useParams({ from: '/signed-in/agents/$agentId' })
  const query = api.useQuery('get', path, { params: { path: { agentId } } })
  return <Loaded query={query}>{(loaded) => <RecordingForm agentId={agentId} loaded={loaded} />}</Loaded>
}
