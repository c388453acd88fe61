/**
 * The offer of a natural voice, where no voice is natural. A button beside the voices opens a dialog. `data-state` of the dialog is
 * `offered`, `elsewhere` (only a command can install the voice), `downloading`, `measuring`, `loading` or `failed`.
 */
import { ApiError } from './api.js'
import { awaitNewVoice, findNaturalVoice, installVoice } from './voice-installation.js'

const byId = (id) => document.getElementById(id)
const nameOfLanguage = new Intl.DisplayNames(['en'], { type: 'language' })
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

const link = (href, text) =>
  Object.assign(document.createElement('a'), { href, textContent: text, target: '_blank', rel: 'noopener' })

/** The licence as a link to the page that states it; with what has it, where there are several. */
const licenseItem = ({ of, license, source, lineage }, _index, { length }) => {
  const item = document.createElement('li')
  item.append(link(source, license ?? 'not known to the catalogue: read it here'))
  if (length > 1) item.append(` (${of})`)
  if (lineage !== null) item.append(` · ${lineage}`)
  return item
}

/** What helps where a download does not: files from elsewhere. */
const isOfNetwork = ({ code }) => code === 'upstream_error' || code === 'upstream_timeout'

/** `installed(voices, voice)` is called with all voices and the new one. */
export const createNaturalVoice = ({ installed }) => {
  const [dialog, opener, accept, install] = ['natural-voice', 'get-voice', 'accept-license', 'install-voice'].map(byId)
  let key = ''
  let offer
  let knownIds = []
  let stop = new AbortController()

  const enter = (state, label = 'Get a natural voice') => {
    dialog.dataset.state = state
    opener.textContent = label
    byId('install-problem').textContent = ''
  }

  const hide = () => {
    opener.hidden = true
    dialog.close()
  }

  const showOffer = ({ voice, command }) => {
    offer = voice
    accept.checked = false
    install.disabled = true
    byId('install-command').textContent = command
    opener.hidden = false
    if (voice === null) return enter('elsewhere')
    byId('offered-voice').textContent = voice.display_name
    byId('offered-language').textContent = nameOfLanguage.of(voice.language)
    byId('offered-size').textContent = megabytes(voice.size_bytes)
    byId('offered-licenses').replaceChildren(...voice.licenses.map(licenseItem))
    install.textContent = `Download ${megabytes(voice.size_bytes)}`
    enter('offered')
  }

  const showBytes = (received) => {
    const share = Math.min(received / offer.size_bytes, 1)
    const percent = `${Math.floor(share * 100)} %`
    byId('install-progress').value = share
    byId('install-status').textContent = `${megabytes(received)} of ${megabytes(offer.size_bytes)}, ${percent}`
    opener.textContent = `Downloading, ${percent}`
  }

  const showWait = (state, text) => {
    enter(state, text)
    byId('install-progress').removeAttribute('value')
    byId('install-status').textContent = text
  }

  const fail = (error) => {
    if (!(error instanceof ApiError)) console.error(error)
    enter('failed')
    byId('install-problem').textContent = error.message
    byId('install-offline').hidden = !isOfNetwork(error)
  }

  const run = async () => {
    stop = new AbortController()
    const { signal } = stop
    enter('downloading')
    showBytes(0)
    try {
      await installVoice(key, offer, {
        signal,
        onBytes: showBytes,
        onMeasuring: () => showWait('measuring', 'Measuring how fast it speaks…'),
      })
      showWait('loading', 'Loading the voice…')
      const { voices, added } = await awaitNewVoice(key, knownIds, signal)
      hide()
      installed(voices, added)
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }

  const cancel = () => {
    stop.abort()
    enter('offered')
  }

  opener.addEventListener('click', () => dialog.showModal())
  accept.addEventListener('change', () => {
    install.disabled = !accept.checked
  })
  byId('voice-form').addEventListener('submit', (event) => {
    event.preventDefault()
    if (accept.checked) run()
  })
  byId('cancel-install').addEventListener('click', cancel)
  byId('close-install').addEventListener('click', () => dialog.close())

  return {
    /** Offers a voice if there is one to offer. The page works without, so that no answer is no failure. */
    async look(newKey, voices) {
      key = newKey
      knownIds = voices.map(({ id }) => id)
      const answer = await findNaturalVoice(newKey).catch(() => undefined)
      if (key === newKey && answer !== undefined) showOffer(answer)
    },

    /** The key is no longer used. */
    forget() {
      key = ''
      stop.abort()
      hide()
    },
  }
}
