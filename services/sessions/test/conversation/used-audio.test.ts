import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const voiced = (talk: Talk) => talk.userAudio.filter((frame) => frame[0] !== 0).length

test('all audio of an open microphone is used, and none while it is muted', async () => {
  const talk = await conversation()
    .ready()
    .pause(200)
    .voice(400)
    .send({ event: 'mute', muted: true })
    .voice(400)
    .send({ event: 'mute', muted: false })
    .voice(100)
    .run()
  expect(voiced(talk)).toBe(25)
  expect(talk.userAudio.length).toBeGreaterThanOrEqual(35)
})

test('with push-to-talk only audio while the button is pressed is used, with what arrives just after', async () => {
  const talk = await conversation({ inputMode: 'push-to-talk' })
    .ready()
    .voice(400)
    .send({ event: 'ptt.start' })
    .voice(200)
    .send({ event: 'ptt.commit' })
    .voice(400)
    .run()
  expect(voiced(talk)).toBe(15)
})

test('audio before the client is ready is not used', async () => {
  const talk = await conversation().open().voice(400).run()
  expect(talk.userAudio).toEqual([])
})
