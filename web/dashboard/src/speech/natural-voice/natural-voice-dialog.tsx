import { Anchor, Button, Checkbox, Code, Modal, Progress, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { languageName } from '../../voices/voice-languages.js'
import classes from './natural-voice-dialog.module.css'
import { installationStatus, megabytes, type NaturalVoiceState, receivedShare } from './natural-voice-state.js'
import type { NaturalVoice } from './voice-installation.js'

type License = NaturalVoice['licenses'][number]

/** The license as a link to the page that states it; with what has it, where there are several. */
const LicenseItem = ({ license, isOnly }: { readonly license: License; readonly isOnly: boolean }) => (
  <li>
    <Anchor href={license.source} target="_blank" rel="noopener" underline="always" inherit>
      {license.license ?? 'not known to the catalog: read it here'}
    </Anchor>
    {!isOnly && ` (${license.of})`}
    {license.lineage !== null && ` · ${license.lineage}`}
  </li>
)

const VoiceFacts = ({ voice }: { readonly voice: NaturalVoice }) => (
  <dl className={classes.facts}>
    <dt>Voice</dt>
    <dd id="offered-voice">{voice.display_name}</dd>
    <dt>Language</dt>
    <dd id="offered-language">{languageName(voice.language)}</dd>
    <dt>Size</dt>
    <dd id="offered-size">{megabytes(voice.size_bytes)}</dd>
    <dt>License</dt>
    <dd>
      <ul id="offered-licenses">
        {voice.licenses.map((license) => (
          <LicenseItem key={license.of} license={license} isOnly={voice.licenses.length === 1} />
        ))}
      </ul>
    </dd>
  </dl>
)

const Installing = ({ state, onCancel }: { readonly state: NaturalVoiceState; onCancel(): void }) => {
  const isDownloading = state.phase === 'downloading'
  return (
    <Stack gap="xs" align="stretch">
      <Progress.Root size="lg">
        <Progress.Section
          id="install-progress"
          aria-label="Installation of the voice"
          value={isDownloading ? receivedShare(state) * 100 : 100}
          animated={!isDownloading}
        />
      </Progress.Root>
      <Text id="install-status" size="sm" role="status">
        {installationStatus(state)}
      </Text>
      {state.phase !== 'loading' && (
        <Button id="cancel-install" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Stack>
  )
}

/** A download fails without a network; files from elsewhere help then. */
const isOfNetwork = (code: string | undefined): boolean => code === 'upstream_error' || code === 'upstream_timeout'

const Failure = ({ problem }: { readonly problem: NaturalVoiceState['problem'] }) => (
  <>
    <Text id="install-problem" role="alert" size="sm" c="var(--mantine-color-error)" className={classes.problem}>
      {problem?.detail}
    </Text>
    {isOfNetwork(problem?.code) && (
      <Text id="install-offline" size="sm">
        Without a network, copy the voice’s files to this machine and run <Code>npx parlance models import PATH</Code>.
      </Text>
    )}
  </>
)

export interface NaturalVoiceDialogProps {
  readonly state: NaturalVoiceState
  readonly opened: boolean
  onInstall(): void
  onCancel(): void
  onClose(): void
}

/** Offers a natural voice with its license, and shows how far its installation is. */
export const NaturalVoiceDialog = ({ state, opened, onInstall, onCancel, onClose }: NaturalVoiceDialogProps) => {
  const [isAccepted, setAccepted] = useState(false)
  const { phase, offer, problem } = state
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAccepted) onInstall()
  }
  return (
    <Modal opened={opened} onClose={onClose} title="Get a natural voice">
      <Stack id="natural-voice" data-state={phase} gap="md">
        <Text size="sm" c="dimmed">
          The voices here sound like robots. A neural voice sounds like a person.
        </Text>
        {(phase === 'offered' || phase === 'failed') && offer.voice !== null && (
          <form onSubmit={submit}>
            <Stack gap="sm">
              <VoiceFacts voice={offer.voice} />
              <Checkbox
                id="accept-license"
                label="I accept the license."
                checked={isAccepted}
                onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
              />
              <Button id="install-voice" type="submit" disabled={!isAccepted}>
                Download {megabytes(offer.voice.size_bytes)}
              </Button>
            </Stack>
          </form>
        )}
        {phase === 'failed' && <Failure problem={problem} />}
        {phase === 'elsewhere' && (
          <Text size="sm">
            This page installs voices only for an Owner or an Admin, in a browser on the machine of{' '}
            <Code>npm start</Code>. Elsewhere the operator runs <Code id="install-command">{offer.command}</Code>
          </Text>
        )}
        {['downloading', 'measuring', 'loading'].includes(phase) && <Installing state={state} onCancel={onCancel} />}
      </Stack>
    </Modal>
  )
}
