import { Anchor, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Api, fetchApi, useReload } from '../api/api.js'
import { type InstallEvent, readInstallEvents } from '../api/install-events.js'
import type { Problem } from '../api/problem.js'
import { megabytes } from './model-words.js'

const lost: Problem = {
  code: 'connection_lost',
  detail: 'The connection was lost. The next try continues where this one ended.',
  retryable: true,
}

interface InstallOptions {
  /** Of an operator, or of a person to whom a page offers a model. */
  readonly path: '/dashboard/api/operator/models' | '/dashboard/api/try/models'
  readonly api?: Api
  /** Called when the model is installed. The installation is pending until it resolves. */
  onInstalled?(signal: AbortSignal): Promise<unknown>
}

/**
 * Installs a model whose licenses the person has accepted: `mutate(name)`. The installation stops with `stop`, and when the
 * component is unmounted.
 */
export const useInstallModel = ({ path, api = fetchApi, onInstalled }: InstallOptions) => {
  const [event, setEvent] = useState<InstallEvent>()
  const [receivedBytes, setReceivedBytes] = useState(0)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const install = useMutation({
    mutationFn: async (name: string) => {
      setEvent(undefined)
      setReceivedBytes(0)
      stopping.current = new AbortController()
      const { signal } = stopping.current
      const receivedOf = new Map<string, number>()
      const onEvent = (event: InstallEvent) => {
        setEvent(event)
        if (event.event !== 'progress') return
        receivedOf.set(event.file, event.received_bytes)
        setReceivedBytes([...receivedOf.values()].reduce((sum, bytes) => sum + bytes, 0))
      }
      const body = { name, accept_license: true } as const
      const { data } = await api.POST(path, { body, parseAs: 'stream', signal })
      await readInstallEvents(data as unknown as ReadableStream<Uint8Array>, onEvent).catch((error: unknown) => {
        signal.throwIfAborted()
        throw error instanceof Error ? lost : error
      })
      await onInstalled?.(signal)
    },
  })
  const stop = () => {
    stopping.current?.abort()
    install.reset()
  }
  return { ...install, event, receivedBytes, stop }
}

/** Installs a model for an operator. */
export const useInstallOwnModel = () => {
  const path = '/dashboard/api/operator/models'
  return useInstallModel({ path, onInstalled: useReload(path) })
}

export type Installation = Pick<ReturnType<typeof useInstallModel>, 'event' | 'receivedBytes'>

/** How much has arrived, from 0 to 1; undefined when that is unknown or the download has ended. */
export const receivedShare = ({ event, receivedBytes }: Installation, sizeBytes: number | null): number | undefined =>
  event?.event === 'progress' && sizeBytes ? Math.min(receivedBytes / sizeBytes, 1) : undefined

const stepOf = (installation: Installation, sizeBytes: number | null): string => {
  const { event, receivedBytes } = installation
  if (event?.event === 'measuring') return 'Measuring how fast it speaks here'
  if (event?.event === 'installed') return 'Loading'
  if (event === undefined) return 'Starting'
  const share = receivedShare(installation, sizeBytes)
  const percent = share === undefined ? '' : `, ${Math.floor(share * 100)} %`
  return `${megabytes(receivedBytes)} of ${megabytes(sizeBytes)}${percent}`
}

/** The license as a link to the page that states it. */
export const LicenseLink = ({ license, source }: { readonly license: string | null; readonly source: string }) => (
  <Anchor href={source} target="_blank" rel="noreferrer" inherit underline="always">
    {license ?? 'see its page'}
  </Anchor>
)

interface InstallProgressProps {
  readonly installation: Installation
  readonly model: { readonly display_name: string; readonly size_bytes: number | null }
}

export const InstallProgress = ({ installation, model: { display_name, size_bytes } }: InstallProgressProps) => {
  const share = receivedShare(installation, size_bytes)
  return (
    <Stack gap={4}>
      <Progress.Root>
        <Progress.Section
          id="install-progress"
          aria-label={`Installation of ${display_name}`}
          value={(share ?? 1) * 100}
          animated={share === undefined}
        />
      </Progress.Root>
      <Text id="install-status" size="xs" c="dimmed" role="status">
        {stepOf(installation, size_bytes)}
      </Text>
    </Stack>
  )
}
