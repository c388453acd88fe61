import { closeScenes, openScene, providers, readReply, wholeReply } from './model-scene.js'

afterEach(closeScenes)

test('the reasoning of an open model is not spoken', async () => {
  const { model } = await openScene('openai_compatible', (_, response) => {
    response.end(wholeReply(providers[0]!.protocol, '<thi', 'nk>They greet me.', '</think>', 'Hello', ' there, 3 < 4.'))
  })
  const { texts, error } = await readReply(model)
  expect(error).toBeUndefined()
  expect(texts.join('').trim()).toBe('Hello there, 3 < 4.')
})

test('text that only looks like the beginning of reasoning is spoken, to the last character', async () => {
  const { model } = await openScene('openai_compatible', (_, response) => {
    response.end(wholeReply(providers[0]!.protocol, 'If a', ' <', ' b and b', ' <t'))
  })
  expect((await readReply(model)).texts.join('')).toBe('If a < b and b <t')
})
