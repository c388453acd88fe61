/** Runs the programs of documents that are for browsers: each page runs that of its path. */
import { createParlanceClient } from '@parlance/client'
import { createScriptedConnection } from '@parlance/client/testing'
import { ParlanceProvider } from '@parlance/react'
import { createRoot } from 'react-dom/client'

const button = document.querySelector('button')
const main = document.querySelector('main')
const agent = {
  agentId: '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11',
  apiOrigin: 'https://voice.example.com',
  sessionToken: async () => (await fetch('/api/voice-token', { method: 'POST' })).text(),
}
const render = (element) => createRoot(main).render(element)

/** A client that is connected without network and media. */
const connectScripted = async (inputMode) => {
  const connection = createScriptedConnection()
  const client = createParlanceClient({ ...agent, transport: connection })
  await client.connect({ inputMode })
  return { client, connection }
}

const programs = {
  '/client': () => import('./docs-client-md-0'),
  '/client-readme': () => import('./web-client-README-md-0'),
  async '/traceparent'() {
    const { traceparent } = await import('./docs-client-md-1')
    console.log('traceparent', traceparent())
  },
  async '/tools'() {
    const { addTools } = await import('./docs-client-md-2')
    const { client, connection } = await connectScripted('automatic')
    addTools(client)
    connection.emit({ event: 'tool.call', tool_call_id: '1', name: 'open_page', arguments: { page: 'cart' } })
  },
  '/speech': () => import('./docs-client-md-3'),
  async '/push-to-talk'() {
    const { holdToTalk } = await import('./docs-push-to-talk-md-0')
    const { client, connection } = await connectScripted('push-to-talk')
    holdToTalk(button, client)
    button.addEventListener('pointerup', () => console.log(connection.sent.map(({ event }) => event).join(' ')))
  },
  async '/avatar'() {
    const { showAvatar } = await import('./docs-avatars-md-0')
    const { avatars } = await (await fetch('/avatars')).json()
    showAvatar(main, { playingSpeech: () => undefined }, avatars[0])
  },
  async '/avatar-readme'() {
    const { avatars } = await (await fetch('/avatars')).json()
    Object.assign(globalThis, {
      container: main,
      session: { avatar: avatars[0] },
      client: { playingSpeech: () => undefined },
    })
    await import('./web-avatar-README-md-0')
  },
  '/listen': () => import('./docs-listen-md-0.mjs'),
  async '/react'() {
    const { Talk } = await import('./docs-react-md-0')
    render(<Talk />)
  },
  async '/labels'() {
    const { Auskunft } = await import('./docs-react-md-1')
    render(<Auskunft {...agent} />)
  },
  async '/hook'() {
    const { Receptionist } = await import('./docs-react-md-2')
    render(<Receptionist />)
  },
  async '/face'() {
    const { Guide } = await import('./docs-react-md-3')
    render(
      <ParlanceProvider {...agent}>
        <Guide />
      </ParlanceProvider>,
    )
  },
  async '/react-readme'() {
    const { Talk } = await import('./web-react-README-md-0')
    render(<Talk />)
  },
}
await programs[location.pathname]()
