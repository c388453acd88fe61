import type { OfferedVoice } from '@parlance/contracts'
import { resolveFallbacks } from '../src/fallbacks.js'
import { createToneEngine, voice } from './tone-engine.js'

const named = (display_name: string, id: string, ...variants: string[]): OfferedVoice => ({
  ...voice,
  id: id.repeat(32),
  display_name,
  variants: variants.map((variant) => ({ ...voice.variants[0]!, id: variant })),
})

const local = createToneEngine({ name: 'local', voices: [named('Ada', 'a', 'standard'), named('Bo', 'b', 'standard')] })
const remote = createToneEngine({ name: 'remote', voices: [named('Nova', 'c', 'tts-1', 'tts-1-hd')] })
const engines = [local, remote]

const nova = { voice: 'nova', variant: 'tts-1' }
const ada = { voice: 'a'.repeat(32), variant: 'standard' }
const bo = { voice: 'BO', variant: 'standard' }
const chain = (fallbacks: ReturnType<typeof resolveFallbacks>, id: string, variant: string) =>
  fallbacks.of(id.repeat(32), variant).map((each) => `${each.engine.name} ${each.voice.display_name} ${each.variant}`)

test('a chain names voices by id or by name in any case, and applies only to its variant', () => {
  const fallbacks = resolveFallbacks([{ ...nova, instead: [ada, bo] }], engines)
  expect(fallbacks.problems).toEqual([])
  expect(chain(fallbacks, 'c', 'tts-1')).toEqual(['local Ada standard', 'local Bo standard'])
  expect(chain(fallbacks, 'c', 'tts-1-hd')).toEqual([])
})

test('two variants may stand in for each other', () => {
  const fallbacks = resolveFallbacks(
    [
      { ...nova, instead: [ada] },
      { ...ada, instead: [nova] },
    ],
    engines,
  )
  expect(fallbacks.problems).toEqual([])
  expect(chain(fallbacks, 'a', 'standard')).toEqual(['remote Nova tts-1'])
})

test.each([
  [
    'an unknown voice',
    [{ voice: 'Nobody', variant: 'x', instead: [ada] }],
    'fallbacks.0.voice: no engine has a voice Nobody',
  ],
  [
    'an unknown voice in a chain',
    [{ ...nova, instead: [ada, { voice: 'Nobody', variant: 'x' }] }],
    'fallbacks.0.instead.1.voice: no engine has a voice Nobody',
  ],
  [
    'an unknown variant',
    [{ ...nova, instead: [{ voice: 'Ada', variant: 'neural' }] }],
    'fallbacks.0.instead.0.variant: the voice Ada has no variant neural',
  ],
  ['itself', [{ ...nova, instead: [ada, nova] }], 'fallbacks.0.instead: names a variant that is in the chain already'],
  [
    'another twice',
    [{ ...nova, instead: [ada, ada] }],
    'fallbacks.0.instead: names a variant that is in the chain already',
  ],
  [
    'a second chain of the same variant',
    [
      { ...nova, instead: [ada] },
      { ...nova, instead: [bo] },
    ],
    'fallbacks.1: this variant has fallbacks already',
  ],
])('a chain that names %s is a problem', (_, configs, problem) => {
  expect(resolveFallbacks(configs, engines).problems).toEqual([problem])
})
