import { Checkbox } from '@mantine/core'
import { api } from '../api/api.js'

interface ConsentFieldProps {
  readonly agentId: string
  readonly consents: boolean
  readonly disabled: boolean
  onChange(consents: boolean): void
}

/** The consent of the person to the recording of the next conversation. Nothing when the Agent needs no consent. */
export const ConsentField = ({ agentId, consents, disabled, onChange }: ConsentFieldProps) => {
  const { data: needsConsent } = api.useQuery(
    'get',
    '/dashboard/api/agents/{agentId}/recording',
    { params: { path: { agentId } } },
    { select: ({ settings, available }) => available && settings.enabled && settings.consent_required },
  )
  if (!needsConsent) return null
  return (
    <Checkbox
      id="consent"
      mb="sm"
      label="Record this conversation"
      description="The Agent is recorded only with the consent of its user."
      checked={consents}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
