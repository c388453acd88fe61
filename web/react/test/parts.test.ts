/** What the parts show for a client, as a server renders them. In a browser they are in tests/client-packages.test.ts. */
import { createParlanceClient } from '@parlance/client'
import { createScriptedConnection } from '@parlance/client/testing'
import { Conversation, type ConversationProps, ParlanceProvider, type ParlanceProviderProps } from '@parlance/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

const agentId = '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11'

const createTalk = () => {
  const connection = createScriptedConnection()
  const client = createParlanceClient({
    agentId,
    apiOrigin: 'https://voice.example.com',
    sessionToken: () => 'awst_x',
    transport: connection,
  })
  const render = (props: ConversationProps = {}, labels?: ParlanceProviderProps['labels']) =>
    renderToStaticMarkup(
      createElement(ParlanceProvider, { client, ...(labels && { labels }) }, createElement(Conversation, props)),
    )
  return { client, connection, render }
}

const statusIn = (markup: string) => /<p role="status">(.*?)<\/p>/.exec(markup)?.[1]
const buttonsIn = (markup: string) =>
  [...markup.matchAll(/<button.*?<\/button>/g)].map(
    ([button]) => /aria-label="(.*?)"/.exec(button)?.[1] ?? button.replaceAll(/<.*?>/g, ''),
  )

test('a panel offers to talk or to type, and only to type where the page asks for that', () => {
  const { render } = createTalk()
  expect(statusIn(render())).toBe('Ready')
  expect(buttonsIn(render())).toEqual(['Microphone and speaker', 'Start talking', 'Type instead'])
  expect(buttonsIn(render({ textOnly: true }))).toEqual(['Microphone and speaker', 'Start'])
})

test('a panel says what each side does, and shows the messages', async () => {
  const { client, connection, render } = createTalk()
  render()
  await client.connect({ inputMode: 'automatic' })
  expect(statusIn(render())).toBe('Listening')
  expect(buttonsIn(render())).toEqual(['Microphone and speaker', 'Mute the microphone', 'Send', 'Hang up'])
  connection.emit({ event: 'user.speech', started: true })
  expect(statusIn(render())).toBe('Hearing you')
  connection.emit({ event: 'user.speech', started: false })
  client.mute()
  expect(statusIn(render())).toBe('Your microphone is muted')
  connection.emit({ event: 'transcript', id: '1', role: 'user', text: 'Hello', final: true })
  connection.emit({ event: 'agent.state', state: 'thinking' })
  expect(statusIn(render())).toBe('Thinking')
  connection.emit({ event: 'agent.state', state: 'speaking' })
  connection.emit({ event: 'transcript', id: '2', role: 'agent', text: 'Good', final: true, interrupted: true })
  expect(statusIn(render())).toBe('Speaking')
  expect(render().replaceAll(/<.*?>/g, '|')).toMatch(/You: \|+Hello\|+Agent: \|+Good\|+Interrupted/)
  await client.disconnect()
  expect(statusIn(render())).toBe('The conversation is over')
  expect(buttonsIn(render())).toEqual(['Microphone and speaker', 'Start talking', 'Type instead'])
})

test('with push-to-talk the user has a button to hold, or to press before and after', async () => {
  const { client, render } = createTalk()
  await client.connect({ inputMode: 'push-to-talk' })
  expect(statusIn(render())).toBe('Your turn')
  expect(buttonsIn(render())).toContain('Hold to speak')
  expect(buttonsIn(render({ micMode: 'toggle' }))).toContain('Speak')
  await client.disconnect()
})

test('an error is shown until the next attempt to connect', async () => {
  const { client, connection, render } = createTalk()
  render()
  await client.connect({ textOnly: true })
  connection.emit({
    event: 'error',
    code: 'llm_unavailable',
    detail: 'The model did not answer.',
    retryable: true,
    request_id: 'r',
  })
  expect(render()).toContain('<p role="alert">The model did not answer.</p>')
  await client.disconnect()
  expect(render()).toContain('The model did not answer.')
  await client.connect({ textOnly: true })
  expect(render()).not.toContain('role="alert"')
  await client.disconnect()
})

test('the texts can be those of another language, one by one', () => {
  const { render } = createTalk()
  expect(buttonsIn(render({}, { start: 'Gespräch beginnen' }))).toEqual([
    'Microphone and speaker',
    'Gespräch beginnen',
    'Type instead',
  ])
})

test('a part without a provider says what it needs', () => {
  expect(() => renderToStaticMarkup(createElement(Conversation))).toThrow('ParlanceProvider')
})
