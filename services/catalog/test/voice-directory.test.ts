import { type OfferedVoice, slowVoiceTag } from '@parlance/contracts'
import { createVoiceDirectory, offerLifetimeMs } from '../src/voice-directory.js'
import { offeredVoice } from './offered-voice.js'

const openDirectory = () => {
  let nowMs = 0
  let connected = true
  const directory = createVoiceDirectory({ nowMs: () => nowMs, connected: () => connected })
  return {
    ...directory,
    disconnect() {
      connected = false
    },
    reconnect() {
      connected = true
      directory.reconnected()
    },
    pass: (ms: number) => {
      nowMs += ms
    },
    names: () => directory.snapshot().sorted.map(({ item }) => item.display_name),
  }
}

const one = { instanceId: 'one', engine: 'espeak-ng', synthesis: 'formant', part: 0 } as const
const two = { instanceId: 'two', engine: 'espeak-ng', synthesis: 'formant', part: 0 } as const
const ada = offeredVoice({ display_name: 'Ada', languages: ['en'] })
const bruno = offeredVoice({ display_name: 'Bruno', languages: ['de'] })

test('voices are listed while an engine offers them, and removed when it withdraws them', () => {
  const directory = openDirectory()
  directory.offer(one, [ada, bruno])
  expect(directory.names()).toEqual(['Bruno', 'Ada'])
  directory.offer(one, [])
  expect(directory.names()).toEqual([])
})

test('the voices of an engine that crashed are removed after three missed offers', () => {
  const directory = openDirectory()
  directory.offer(one, [ada])
  directory.offer(two, [bruno])
  directory.pass(offerLifetimeMs - 1)
  directory.offer(two, [bruno])
  directory.pass(1)
  expect(directory.names()).toEqual(['Bruno'])
})

test('two engines that speak the same voice make it one entry with the variants of both', () => {
  const directory = openDirectory()
  const neural: OfferedVoice = { ...ada, variants: [{ ...ada.variants[0]!, id: 'neural' }] }
  directory.offer(one, [ada])
  directory.offer(two, [ada, neural])
  const [entry] = directory.snapshot().sorted
  expect(entry!.item.variants.map(({ id }) => id)).toEqual(['standard', 'neural'])
})

test('an engine is listed once, with the workers that run it and the voices that they speak', () => {
  const directory = openDirectory()
  directory.offer(one, [ada])
  directory.offer({ ...one, part: 1 }, [bruno])
  directory.offer(two, [ada])
  directory.offer({ ...two, engine: 'a-neural-one', synthesis: 'neural' }, [ada])
  expect(directory.engines()).toEqual([
    { name: 'a-neural-one', synthesis: 'neural', workers: 1, voices: 1 },
    { name: 'espeak-ng', synthesis: 'formant', workers: 2, voices: 2 },
  ])
  directory.pass(offerLifetimeMs)
  expect(directory.engines()).toEqual([])
})

test('the version changes exactly when the list does', () => {
  const directory = openDirectory()
  const version = () => directory.snapshot().version
  directory.offer(one, [ada])
  const first = version()
  directory.pass(5_000)
  directory.offer(one, [ada])
  expect(version()).toBe(first)
  directory.offer(one, [bruno])
  const second = version()
  expect(second).not.toBe(first)
  directory.pass(offerLifetimeMs)
  expect(version()).not.toBe(second)
})

test('a voice that is found by name has the engine of each variant, a listed voice has not', () => {
  const directory = openDirectory()
  const neural: OfferedVoice = { ...ada, variants: [{ ...ada.variants[0]!, id: 'neural' }] }
  directory.offer(one, [ada])
  directory.offer({ ...one, engine: 'kokoro' }, [neural])
  expect(directory.find('ada')!.variants.map(({ id, engine }) => [id, engine])).toEqual([
    ['standard', 'espeak-ng'],
    ['neural', 'kokoro'],
  ])
  expect(JSON.stringify(directory.snapshot())).not.toContain('engine')
})

test('an engine that withdraws its voices removes its own at once, and no others', () => {
  const directory = openDirectory()
  directory.offer(one, [ada])
  directory.offer({ ...one, engine: 'kokoro' }, [bruno])
  directory.offer({ ...one, engine: 'kokoro' }, [])
  expect(directory.names()).toEqual(['Ada'])
  expect(directory.find('Bruno')).toBeUndefined()
})

test('voices that are offered in parts are all listed', () => {
  const directory = openDirectory()
  directory.offer(one, [ada])
  directory.offer({ ...one, part: 1 }, [bruno])
  expect(directory.names()).toEqual(['Bruno', 'Ada'])
})

test('the voices of neural engines come first, then those built from recordings, then computed ones, in any language', () => {
  const directory = openDirectory()
  const zoe = offeredVoice({ display_name: 'Zoe', languages: ['en'] })
  const nell = offeredVoice({ display_name: 'Nell', languages: ['en-US'] })
  directory.offer(one, [ada, bruno])
  directory.offer({ ...one, engine: 'flite', synthesis: 'recorded' }, [nell])
  directory.offer({ ...one, engine: 'kokoro', synthesis: 'neural' }, [zoe])
  expect(directory.names()).toEqual(['Zoe', 'Nell', 'Bruno', 'Ada'])
})

test('a voice of two engines has the rank of the better one while that engine offers it', () => {
  const directory = openDirectory()
  const neural: OfferedVoice = { ...ada, variants: [{ ...ada.variants[0]!, id: 'neural' }] }
  const kokoro = { ...one, engine: 'kokoro', synthesis: 'neural' } as const
  directory.offer(one, [ada, bruno])
  directory.offer(kokoro, [neural])
  expect(directory.names()).toEqual(['Ada', 'Bruno'])
  directory.offer(kokoro, [])
  expect(directory.names()).toEqual(['Bruno', 'Ada'])
})

describe('the list', () => {
  test('is complete when no engine has offered anything new for a moment, or all have had time to', () => {
    const directory = openDirectory()
    expect(directory.complete()).toBe(false)
    directory.pass(1_000)
    expect(directory.complete()).toBe(false)
    directory.offer(one, [ada])
    expect(directory.complete()).toBe(false)
    directory.pass(400)
    directory.offer(two, [bruno])
    directory.pass(400)
    expect(directory.complete()).toBe(false)
    directory.pass(100)
    expect(directory.complete()).toBe(true)

    const silent = openDirectory()
    silent.pass(5_999)
    expect(silent.complete()).toBe(false)
    silent.pass(1)
    expect(silent.complete()).toBe(true)
  })

  test('keeps offers while the connection is lost, however long, and lets them expire after the reconnection', () => {
    const directory = openDirectory()
    directory.offer(one, [ada])
    directory.offer(two, [bruno])
    directory.disconnect()
    directory.pass(10 * offerLifetimeMs)
    expect(directory.names()).toEqual(['Bruno', 'Ada'])
    directory.reconnect()
    expect(directory.names()).toEqual(['Bruno', 'Ada'])
    directory.offer(one, [ada])
    directory.pass(offerLifetimeMs - 1)
    directory.offer(one, [ada])
    directory.pass(1)
    expect(directory.names()).toEqual(['Ada'])
  })

  test('is incomplete after a reconnection until each known engine has offered again or has had time to', () => {
    const directory = openDirectory()
    directory.offer(one, [ada])
    directory.offer(two, [bruno])
    directory.pass(6_000)
    directory.disconnect()
    directory.reconnect()
    expect(directory.complete()).toBe(false)
    directory.offer(one, [ada])
    directory.pass(1_000)
    expect(directory.complete()).toBe(false)
    directory.offer(two, [bruno])
    directory.pass(500)
    expect(directory.complete()).toBe(true)

    directory.reconnect()
    directory.pass(6_000)
    expect(directory.complete()).toBe(true)
  })
})

test('a voice that is slower than real time is listed last, with any method of synthesis', () => {
  const directory = openDirectory()
  const neural = { instanceId: 'three', engine: 'local-joe', synthesis: 'neural', part: 0 } as const
  const joe = offeredVoice({ id: 'e'.repeat(32), display_name: 'Joe', languages: ['de'], tags: [slowVoiceTag] })
  directory.offer(neural, [joe])
  directory.offer(one, [ada, bruno])
  expect(directory.names()).toEqual(['Bruno', 'Ada', 'Joe'])
  directory.offer(neural, [{ ...joe, tags: [] }])
  expect(directory.names()).toEqual(['Joe', 'Bruno', 'Ada'])
})

test('a voice has the preview that its engine names, or else that of the API', () => {
  const directory = openDirectory()
  directory.offer(one, [ada])
  directory.offer(two, [{ ...bruno, preview_url: 'https://voices.example/bruno.mp3' }])
  expect(directory.find('Ada')!.preview_url).toBe(`/v1/voices/${ada.id}/preview`)
  expect(directory.find('Bruno')!.preview_url).toBe('https://voices.example/bruno.mp3')
})

describe("OpenAI's names", () => {
  const voiceOf = (name: string, gender: 'female' | 'male', ...languages: string[]) =>
    offeredVoice({ display_name: name, gender, languages })
  const neural = { instanceId: 'one', engine: 'sherpa-onnx', synthesis: 'neural', part: 0 } as const
  const namesOf = ({ find }: ReturnType<typeof openDirectory>, ...names: string[]) =>
    names.map((name) => find(name)?.display_name)

  test('are English voices of the gender, the same at each look-up, in turn', () => {
    const directory = openDirectory()
    directory.offer(one, [
      voiceOf('Ann', 'female', 'en'),
      voiceOf('Bea', 'female', 'en-GB'),
      voiceOf('Carl', 'male', 'en'),
      voiceOf('Dora', 'female', 'de', 'en'),
    ])
    const names = ['coral', 'marin', 'Nova', 'onyx', 'echo', 'alloy']
    expect(namesOf(directory, ...names)).toEqual(['Ann', 'Bea', 'Ann', 'Carl', 'Carl', 'Ann'])
    expect(namesOf(directory, ...names)).toEqual(['Ann', 'Bea', 'Ann', 'Carl', 'Carl', 'Ann'])
  })

  test('are voices of their gender where there is one, before better voices of another', () => {
    const directory = openDirectory()
    directory.offer(one, [voiceOf('Carl', 'male', 'en'), voiceOf('Ann', 'female', 'en')])
    directory.offer(neural, [voiceOf('Zoe', 'female', 'en'), voiceOf('Yves', 'male', 'fr')])
    const male = ['ash', 'ballad', 'cedar', 'echo', 'onyx', 'verse']
    const female = ['coral', 'marin', 'nova', 'sage', 'shimmer']
    expect(namesOf(directory, ...male)).toEqual(male.map(() => 'Carl'))
    expect(namesOf(directory, ...female, 'alloy', 'fable')).toEqual([...female, 'alloy', 'fable'].map(() => 'Zoe'))
  })

  test('are the best voices where none is of their gender', () => {
    const directory = openDirectory()
    directory.offer(one, [voiceOf('Ann', 'female', 'en')])
    directory.offer(neural, [voiceOf('Zoe', 'female', 'en'), voiceOf('Yves', 'male', 'fr')])
    expect(namesOf(directory, 'onyx')).toEqual(['Zoe'])
  })

  test('are voices of other languages where none is English', () => {
    const directory = openDirectory()
    expect(namesOf(directory, 'nova')).toEqual([undefined])
    directory.offer(one, [voiceOf('Bruno', 'male', 'de'), voiceOf('Dora', 'female', 'de')])
    expect(namesOf(directory, 'nova', 'onyx')).toEqual(['Dora', 'Bruno'])
  })

  test('are hidden by a voice of that name', () => {
    const directory = openDirectory()
    directory.offer(one, [voiceOf('Ann', 'female', 'en'), voiceOf('Nova', 'male', 'de')])
    expect(namesOf(directory, 'nova', 'coral')).toEqual(['Nova', 'Ann'])
  })
})

test('a voice has the most natural method of the engines that speak it, also where it is slow', () => {
  const directory = openDirectory()
  const methods = () => directory.snapshot().sorted.map(({ item, synthesis }) => [item.display_name, synthesis])
  directory.offer(one, [ada, bruno])
  expect(methods()).toEqual([
    ['Bruno', 'formant'],
    ['Ada', 'formant'],
  ])
  directory.offer({ ...one, engine: 'kokoro', synthesis: 'neural' }, [{ ...ada, tags: [slowVoiceTag] }])
  expect(methods()).toEqual([
    ['Bruno', 'formant'],
    ['Ada', 'neural'],
  ])
})
