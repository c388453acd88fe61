import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MicOff } from 'lucide-react'
import type { Api } from '../api/api.js'
import { InstallProgress, LicenseLink, useInstallModel } from '../models/install-model.js'
import { findRecognizer, type OfferedModel } from '../models/model-queries.js'
import { sizeOf } from '../models/model-words.js'
import { languageName } from '../shared/languages.js'
import { ProblemAlert } from '../shared/problem-alert.js'

/** A model takes a few seconds to load. */
const askAgainMs = 1_000

interface InstallerProps {
  readonly recognizer: OfferedModel
  readonly api: Api
}

/** Installs the recognizer when the person accepts its license by the button, and shows how far that is. */
const Installer = ({ recognizer, api }: InstallerProps) => {
  const { name, display_name, size_bytes, licenses } = recognizer
  const install = useInstallModel({ path: '/dashboard/api/try/models', api })
  const [license] = licenses
  return (
    <>
      <Text>
        {display_name}, {sizeOf(size_bytes)}, license: <LicenseLink {...license!} />
      </Text>
      {install.isPending || install.isSuccess ? (
        <InstallProgress installation={install} model={recognizer} />
      ) : (
        <Button id="install-recognizer" size="xs" onClick={() => install.mutate(name)} style={{ alignSelf: 'start' }}>
          Accept and install
        </Button>
      )}
      <ProblemAlert error={install.error} />
    </>
  )
}

interface RecognizerNoticeProps {
  readonly api: Api
  /** The language in which the user speaks, a BCP 47 tag. */
  readonly language: string
  /** Chooses to type instead of speaking; undefined when that is already chosen. */
  readonly onType?: (() => void) | undefined
}

/** When no recognizer knows the language: reports that, and offers a recognizer and typing. Otherwise nothing. */
export const RecognizerNotice = ({ api, language, onType }: RecognizerNoticeProps) => {
  const found = useQuery({
    queryKey: ['recognizer', language],
    queryFn: () => findRecognizer(api, language),
    // A recognizer may be installed here or elsewhere.
    refetchInterval: ({ state }) => (state.data ? askAgainMs : false),
    gcTime: 0,
  })
  if (!found.data) return null
  const { recognizer, command } = found.data
  return (
    <Alert id="no-recognizer" color="yellow" icon={<MicOff />} title="Speech is not understood yet">
      <Stack gap="xs">
        <Text>
          No recognizer for {languageName(language)} is installed. Install one to speak, or type: the Agent answers
          aloud.
        </Text>
        {recognizer === null ? (
          <Text>
            The operator installs one with <Code id="recognizer-command">{command}</Code>
          </Text>
        ) : (
          <Installer recognizer={recognizer} api={api} />
        )}
        {onType !== undefined && (
          <Group>
            <Button id="type-instead" size="xs" variant="default" onClick={onType}>
              Type instead
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}
