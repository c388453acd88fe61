/** Asks for a natural voice, installs it, and waits until it is announced. */
import { ApiError, call, listVoices } from './api.js'

const path = '/play/natural-voice'

/** Models are loaded one after the other, and a busy machine takes a while for one. */
const announceWithinMs = 120_000
const askEveryMs = 500

const lost = () => new ApiError({ detail: 'The connection was lost. The next try continues where this one ended.' })
const notAnnounced = () =>
  new ApiError({
    detail: 'The voice is installed, but does not speak yet. The command npx parlance models verify shows why.',
  })

/**
 * Resolves to the voice that may be installed here and the command that installs it elsewhere: `{ voice, command }`, where `voice` is
 * null if only the command can; undefined where a natural voice is installed already.
 */
export const findNaturalVoice = (key) =>
  call(key, `${path}?languages=${encodeURIComponent(navigator.languages.join(','))}`)

/** Calls `onEvent` with each line of a response. Rejects when the last is an error, or none says that it is complete. */
const readEvents = async (response, onEvent) => {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw lost()
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line)
      if (event.event === 'error') throw new ApiError(event)
      if (event.event === 'installed') return
      onEvent(event)
    }
  }
}

const request = async (key, name, signal, onEvent) => {
  const response = await fetch(path, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, accept_license: true }),
  })
  if (!response.ok) throw new ApiError((await response.json().catch(() => undefined)) ?? {})
  await readEvents(response, onEvent)
}

/**
 * Installs a voice whose licences the user has accepted. Calls `onBytes(received)` while it is downloaded and `onMeasuring()` when
 * that is done. Rejects with `ApiError`, or with the reason of the signal.
 */
export const installVoice = async (key, { name }, { signal, onBytes, onMeasuring }) => {
  const receivedOf = new Map()
  const onEvent = ({ event, file, received_bytes }) => {
    if (event === 'measuring') onMeasuring()
    if (event !== 'progress') return
    receivedOf.set(file, received_bytes)
    onBytes([...receivedOf.values()].reduce((sum, bytes) => sum + bytes, 0))
  }
  await request(key, name, signal, onEvent).catch((error) => {
    signal.throwIfAborted()
    throw error instanceof ApiError ? error : lost()
  })
}

/**
 * Resolves to all voices, and the one that is new, as soon as a voice is natural. `knownIds` are those of the voices from before.
 * Rejects with `ApiError`, or with the reason of the signal.
 */
export const awaitNewVoice = async (key, knownIds, signal) => {
  const deadlineMs = performance.now() + announceWithinMs
  while (performance.now() < deadlineMs) {
    const isNatural = (await findNaturalVoice(key)) === undefined
    signal.throwIfAborted()
    const voices = isNatural ? await listVoices(key) : []
    const added = voices.find(({ id, status }) => status === 'available' && !knownIds.includes(id))
    if (added !== undefined) return { voices, added }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    signal.throwIfAborted()
  }
  throw notAnnounced()
}
