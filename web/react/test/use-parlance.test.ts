import { type UseParlanceOptions, useParlance } from '@parlance/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const render = (options: Partial<Record<keyof UseParlanceOptions, unknown>>) => {
  const Talk = () => {
    const { connectionState } = useParlance({
      agentId: '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11',
      apiOrigin: 'https://voice.example.com',
      sessionToken: () => 'awst_x',
      ...options,
    } as UseParlanceOptions)
    return createElement('p', {}, connectionState)
  }
  return renderToString(createElement(Talk))
}

test('the hook passes its options on to the client', () => {
  expect(render({ transport: 'websocket' })).toBe('<p>idle</p>')
  expect(() => render({ transport: 'pigeon' })).toThrow('transport must be webrtc or websocket')
  expect(() => render({ apiOrigin: 'voice.example.com' })).toThrow('apiOrigin must be an address')
})
