import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import { modelEngineName, modelVoices, readModelFolder, variantId } from '../src/index.js'

test('every speaker is a voice, whose id is the same wherever the engine has this name', async () => {
  const home = await mkdtemp(join(tmpdir(), 'parlance-voices-'))
  await writeToneModel(join(home, 'tones'), { speakers: 2 })
  const reading = await readModelFolder(join(home, 'tones'))
  await rm(home, { recursive: true })
  if ('problems' in reading) throw new Error('the folder was refused')

  const voices = modelVoices('local-tones', reading.model, '0.05').map(({ voice }) => voice)
  expect(voices).toMatchObject([
    {
      id: '869f2c9f5c7027f1357261ebaf374278',
      displayName: 'Tones 1',
      variants: [{ id: 'tones', displayName: 'Tones', creditPer1kCharacters: '0.05' }],
    },
    { displayName: 'Tones 2' },
  ])
  expect(voices[1]?.id).not.toBe(voices[0]?.id)
  expect(modelVoices('other-tones', reading.model, '0.05')[0]?.voice.id).not.toBe(voices[0]?.id)
})

test('names are made fit for subjects and ids, and long ones stay different', () => {
  expect(modelEngineName('local', 'vits-piper-en_US-amy-low')).toBe('local-vits-piper-en-us-amy-low')
  expect(modelEngineName('local', '日本語')).toBe('local-model')
  expect(modelEngineName('l'.repeat(63), 'x'.repeat(100))).toMatch(/^l{54}-[0-9a-f]{8}$/)
  expect(variantId('piper-en_US-amy-low')).toBe('piper-en_US-amy-low')
  expect(variantId('a b/c')).toBe('a-b-c')
  const long = 'x'.repeat(100)
  expect(variantId(long)).toHaveLength(64)
  expect(variantId(long)).not.toBe(variantId(`${long}y`))
})
