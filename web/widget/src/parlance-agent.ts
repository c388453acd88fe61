/**
 * `<parlance-agent agent-id="…">`: a button that floats on the page, and a panel in which the visitor talks with the Agent.
 *
 * - The element's own text is the title of the panel.
 * - Nothing is connected and no microphone is opened before the visitor asks for it.
 * - A closed panel does not end the conversation. Removing the element does.
 */
import type { AvatarView } from '@parlance/avatar'
import { createParlanceClient, type ParlanceClient, ParlanceError, type Session } from '@parlance/client'
import partStyles from '@parlance/react/styles.css'
import styles from './parlance-agent.css'
import { fetchSessionToken, TokenError } from './session-token.js'
import { type Texts, textsFor } from './texts.js'

/** The folder of the script, which is at the root of the gateway. Without a script of its own it is that of the page. */
const script = document.currentScript
const base = new URL('.', script instanceof HTMLScriptElement && script.src !== '' ? script.src : location.origin)

const icons = {
  talk: '<path d="M21 12a8 8 0 0 1-8 8H4l2-3.2A8 8 0 1 1 21 12Z"/><path d="M9.5 11v2m3.5-4v6m3.5-4v2"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  microphone: '<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5 11a7 7 0 0 0 14 0M12 18v3"/>',
  muted:
    '<path d="M9 6a3 3 0 0 1 6 0v5m-.6 2.200A3 3 0 0 1 9 11V9M5 11a7 7 0 0 0 11.5 5.400M19 11a7 7 0 0 1-.4 2.300M12 18v3M4 3l16 18"/>',
  hangUp: '<path d="M3 15.500c0-6 18-6 18 0l-1 2-4-1-.5-2.500a11 11 0 0 0-7 0L8 16.500l-4 1Z"/>',
  send: '<path d="M5 12h14M13 6l6 6-6 6"/>',
}

const iconOf = (name: keyof typeof icons): string =>
  `<svg class="parlance-icon" viewBox="0 0 24 24" aria-hidden="true">${icons[name]}</svg>`

// The parts have the size of the page's text. The widget has its own on every page.
const inPixels = partStyles.replace(/([\d.]+)rem/g, (_, rem) => `${Number(rem) * 16}px`)

const sheets = [inPixels, styles].map((text) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
})

const html = `
  <button class="parlance parlance-button parlance-primary launcher" type="button" aria-haspopup="dialog">
    ${iconOf('talk')}
  </button>
  <section class="parlance panel" role="dialog" aria-labelledby="title" hidden>
    <header>
      <h2 id="title"><slot></slot></h2>
      <button class="parlance-button close" type="button">${iconOf('close')}</button>
    </header>
    <div class="consent" tabindex="-1"><p></p><button class="parlance-button parlance-primary agree" type="button"></button></div>
    <div class="stage" aria-hidden="true">
      <div class="parlance parlance-orb orb"><span></span></div>
      <div class="avatar"></div>
    </div>
    <p class="status" role="status"></p>
    <p class="problem" role="alert"></p>
    <div class="parlance-transcript log" role="log" tabindex="0"></div>
    <div class="controls">
      <button class="parlance-button parlance-primary start" type="button"></button>
      <button class="parlance-button parlance-primary sound" type="button"></button>
      <button class="parlance parlance-button parlance-mic mute" type="button"></button>
      <button class="parlance-button parlance-end hang-up" type="button">${iconOf('hangUp')}</button>
    </div>
    <form class="parlance-composer">
      <input autocomplete="off" maxlength="2000" enterkeyhint="send">
      <button class="parlance-button send">${iconOf('send')}</button>
    </form>
  </section>`

const microphoneCodes = new Set([
  'microphone_denied',
  'microphone_not_found',
  'microphone_unavailable',
  'microphone_lost',
])
/** The installation or the Agent serves no more conversations now. */
const busyCodes = new Set([
  ...['rate_limited', 'concurrency_limited', 'capacity_exhausted', 'insufficient_credit'],
  ...['organization_suspended', 'draining', 'drained', 'unavailable'],
])

const codeOf = (error: unknown): string => {
  if (!(error instanceof ParlanceError)) return ''
  return error.cause instanceof TokenError ? error.cause.code : error.code
}

type Problem = 'microphone' | 'busy' | 'failed'

const problemOf = (code: string): Problem =>
  microphoneCodes.has(code) ? 'microphone' : busyCodes.has(code) ? 'busy' : 'failed'

/** Where the browser keeps no data for the page, consent is asked for on every page. */
const remembered = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const remember = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The page does without.
  }
}

export class ParlanceAgent extends HTMLElement {
  static readonly observedAttributes = [
    ...['agent-id', 'token-url', 'api-origin', 'language', 'avatar', 'consent', 'text-only'],
  ]

  readonly #root = this.attachShadow({ mode: 'open' })
  #texts: Texts = textsFor([]).texts
  #client: ParlanceClient | undefined
  #avatar: AvatarView | undefined
  #messages = new Map<string, HTMLParagraphElement>()
  #problem: Problem | undefined
  #hasEnded = false
  /** The text of the consent that the visitor has agreed to on this page. */
  #agreedTo: string | undefined

  constructor() {
    super()
    this.#root.adoptedStyleSheets = sheets
    this.#root.innerHTML = html
    this.#listen()
  }

  /** The client of the conversations, for tools and context of the page. It is created when it is first needed. */
  get client(): ParlanceClient {
    this.#client ??= this.#createClient()
    return this.#client
  }

  connectedCallback(): void {
    this.#render()
  }

  disconnectedCallback(): void {
    void this.#client?.disconnect()
  }

  attributeChangedCallback(name: string): void {
    if (['agent-id', 'token-url', 'api-origin'].includes(name)) {
      void this.#client?.disconnect()
      this.#client = undefined
    }
    if (this.isConnected) this.#render()
  }

  #find<Found extends HTMLElement = HTMLButtonElement>(selector: string): Found {
    return this.#root.querySelector<Found>(selector)!
  }

  #listen(): void {
    const on = (selector: string, type: string, listener: (event: Event) => void) =>
      this.#find(selector).addEventListener(type, listener)
    on('.launcher', 'click', () => this.#toggle(this.#panel.hidden === true))
    on('.close', 'click', () => this.#toggle(false))
    on('.panel', 'keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape') this.#toggle(false)
    })
    on('.agree', 'click', () => this.#agree())
    on('.start', 'click', () => void this.#connect(true))
    on('.sound', 'click', () => void this.client.resumeAudio())
    on('.mute', 'click', () => (this.client.muted ? this.client.unmute() : this.client.mute()))
    on('.hang-up', 'click', () => void this.client.disconnect())
    on('form', 'submit', (event) => {
      event.preventDefault()
      void this.#send()
    })
  }

  get #panel(): HTMLElement {
    return this.#find('.panel')
  }

  get #apiOrigin(): string {
    return (this.getAttribute('api-origin') ?? base.href).replace(/\/+$/, '')
  }

  #createClient(): ParlanceClient {
    const agentId = this.getAttribute('agent-id') ?? ''
    const tokenUrl =
      this.getAttribute('token-url') ??
      `${this.#apiOrigin}/v1/public/agents/${encodeURIComponent(agentId)}/session-tokens`
    const client = createParlanceClient({
      agentId,
      apiOrigin: this.#apiOrigin,
      sessionToken: () => fetchSessionToken(tokenUrl),
    })
    const render = () => this.#render()
    for (const name of ['connectionState', 'agentState', 'muted', 'audioBlocked'] as const) client.on(name, render)
    client.on('transcript', () => this.#renderMessages())
    client.on('levels', ({ input, output }) => {
      this.#find('.mute').style.setProperty('--parlance-level', input.toFixed(2))
      this.#find('.orb').style.setProperty('--parlance-level', output.toFixed(2))
    })
    client.on('session', (session) => this.#showAvatar(session))
    client.on('error', (error) => {
      // The visitor reads a plain sentence; the developer of the page needs the reason.
      console.warn(`parlance-agent: ${codeOf(error)}: ${error.message}`)
      if (client.connectionState === 'connected' && !microphoneCodes.has(error.code)) return
      this.#problem = problemOf(codeOf(error))
      this.#render()
    })
    client.on('disconnected', ({ reason, code }) => {
      this.#hasEnded = true
      const failure = code ?? reason
      if (code !== null || busyCodes.has(reason)) this.#problem = problemOf(failure)
      this.#render()
    })
    return client
  }

  #toggle(isOpen: boolean): void {
    this.#panel.hidden = !isOpen
    this.#render()
    if (isOpen) this.#focusFirst()
    else this.#find('.launcher').focus()
  }

  /** Focuses the first thing that the visitor can do. */
  #focusFirst(): void {
    const choices = ['.agree', '.sound', '.start', 'input'].map((selector) => this.#find<HTMLElement>(selector))
    choices.find((choice) => choice.checkVisibility())?.focus()
  }

  /** Undefined where the page asks for none, or the visitor has agreed. */
  get #consentToAsk(): string | undefined {
    const consent = this.getAttribute('consent')
    if (consent === null) return undefined
    const text = consent.trim() === '' ? this.#texts.consent : consent
    return this.#agreedTo === text || remembered(this.#consentKey) === text ? undefined : text
  }

  get #consentKey(): string {
    return `parlance-consent:${this.getAttribute('agent-id')}`
  }

  #agree(): void {
    this.#agreedTo = this.#consentToAsk
    if (this.#agreedTo !== undefined) remember(this.#consentKey, this.#agreedTo)
    this.#render()
    this.#focusFirst()
  }

  /** Resolves to whether there is a conversation. Failures are shown. */
  async #connect(microphone: boolean): Promise<boolean> {
    this.#problem = undefined
    this.#hasEnded = false
    try {
      await this.client.connect({
        inputMode: 'automatic',
        textOnly: this.hasAttribute('text-only'),
        ...(!microphone && { microphone: false }),
      })
      if (this.#root.activeElement === null || !(this.#root.activeElement as HTMLElement).checkVisibility()) {
        this.#find('input').focus()
      }
      return true
    } catch (error) {
      // The client has emitted the error. Without a client, an attribute is wrong.
      if (this.#client === undefined) console.error('parlance-agent:', error)
      if (codeOf(error) !== 'aborted') this.#problem = problemOf(codeOf(error))
      this.#render()
      return false
    }
  }

  /** Writing begins a conversation too, without the microphone. */
  async #send(): Promise<void> {
    const input = this.#find<HTMLInputElement>('input')
    const text = input.value.trim()
    if (text === '') return
    if (this.#client?.connectionState !== 'connected' && !(await this.#connect(false))) return
    this.client.sendText(text)
    input.value = ''
    input.focus()
  }

  #showAvatar(session: Session | null): void {
    const stage = this.#find<HTMLElement>('.stage')
    this.#avatar?.close()
    this.#avatar = undefined
    delete stage.dataset.avatar
    const avatar = session?.avatar
    if (!avatar || !this.hasAttribute('avatar')) return
    const { client } = this
    const show = ({ createAvatar }: typeof import('@parlance/avatar')) => {
      if (client.session !== session) return
      this.#avatar = createAvatar(this.#find('.avatar'), {
        avatar,
        apiOrigin: client.apiOrigin,
        speech: client.playingSpeech,
        onLoad: ({ status }) => {
          stage.dataset.avatar = status
        },
      })
    }
    // The conversation continues with the orb where the renderer cannot be loaded.
    import(new URL('widget/avatar.js', base).href).then(show, (error) => console.warn('parlance-agent:', error))
  }

  #renderMessages(): void {
    const log = this.#find('.log')
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40
    const messages = this.#client?.messages ?? []
    const kept = new Set(messages.map(({ id }) => id))
    for (const [id, item] of this.#messages) {
      if (kept.has(id)) continue
      item.remove()
      this.#messages.delete(id)
    }
    for (const { id, role, text, final } of messages) {
      const item = this.#messages.get(id) ?? document.createElement('p')
      const speaker = document.createElement('span')
      speaker.className = 'parlance-hidden'
      speaker.textContent = `${role === 'user' ? this.#texts.you : this.#texts.agent}: `
      item.dataset.role = role
      // Screen readers wait until the message is complete.
      item.ariaBusy = String(!final)
      item.replaceChildren(speaker, text)
      if (!item.isConnected) log.append(item)
      this.#messages.set(id, item)
    }
    if (isAtEnd) log.scrollTop = log.scrollHeight
  }

  #render(): void {
    const { language, texts } = textsFor([
      this.getAttribute('language'),
      this.closest<HTMLElement>('[lang]')?.lang,
      ...navigator.languages,
    ])
    this.#texts = texts
    const client = this.#client
    const state = client?.connectionState ?? 'idle'
    const isLive = state === 'connected' || state === 'reconnecting'
    const isConnecting = state === 'connecting' || state === 'requesting-microphone'
    const isTextOnly = this.hasAttribute('text-only')
    const consent = this.#consentToAsk
    const isOpen = !this.#panel.hidden
    const show = (selector: string, isShown: boolean) => {
      this.#find(selector).hidden = !isShown
    }
    const label = (selector: string, text: string) => {
      const element = this.#find(selector)
      element.ariaLabel = text
      if (element instanceof HTMLButtonElement) element.title = text
    }
    const focused = this.#root.activeElement as HTMLElement | null

    this.#panel.lang = language
    const launcher = this.#find('.launcher')
    launcher.toggleAttribute('data-live', isLive)
    show('.launcher', !isOpen)
    this.#find('slot').textContent = texts.title
    label('.launcher', texts.open)
    label('.close', texts.close)
    label('.log', texts.transcript)

    show('.consent', consent !== undefined)
    this.#find('.consent p').textContent = consent ?? ''
    this.#find('.agree').textContent = texts.agree
    for (const selector of ['.stage', '.status', '.log', '.controls', 'form']) show(selector, consent === undefined)

    const orb = this.#find('.orb')
    orb.dataset.state = state === 'connected' ? client?.agentState : state
    if (!isLive) orb.style.removeProperty('--parlance-level')
    this.#find('.status').textContent = this.#statusOf(state, isConnecting)
    show('.problem', this.#problem !== undefined)
    this.#find('.problem').textContent = this.#problem === undefined ? '' : texts[this.#problem]

    const start = this.#find('.start')
    start.textContent = texts.start
    start.disabled = isConnecting
    show('.start', !isLive && !isTextOnly)
    show('.sound', isLive && client?.audioBlocked === true)
    this.#find('.sound').textContent = texts.enableSound
    show('.mute', isLive && client?.session?.textOnly === false)
    const isMuted = client?.muted === true
    this.#find('.mute').innerHTML = iconOf(isMuted ? 'muted' : 'microphone')
    this.#find('.mute').ariaPressed = String(isMuted)
    label('.mute', texts.mute)
    show('.hang-up', isLive || isConnecting)
    label('.hang-up', texts.hangUp)

    const input = this.#find<HTMLInputElement>('input')
    input.placeholder = texts.write
    input.ariaLabel = texts.write
    label('.send', texts.send)
    this.#renderMessages()
    // A focused control that has gone leaves the focus to the next one.
    if (focused !== null && !focused.checkVisibility() && isOpen) this.#focusFirst()
  }

  #statusOf(state: ParlanceClient['connectionState'], isConnecting: boolean): string {
    if (isConnecting) return this.#texts.connecting
    if (state === 'reconnecting') return this.#texts.reconnecting
    if (state === 'connected') return this.#texts[this.#client?.agentState ?? 'listening']
    return this.#hasEnded && this.#problem === undefined ? this.#texts.ended : ''
  }
}
