import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describeWithPrograms, testSeed } from '@parlance/testing'
import { vi } from 'vitest'

vi.setConfig({ testTimeout: 600_000 })

const root = fileURLToPath(new URL('..', import.meta.url))

const fuzz = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/fuzz-engines.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stderr, findings: stdout.split('\n').filter((line) => line.startsWith('{')) }
}

describeWithPrograms(['espeak-ng', 'flite'], 'the speech engines', () => {
  test.each(['espeak-ng-native', 'espeak-ng-wasm', 'flite'])(
    '%s speaks in every language, with marks that fit, each text that an engine once failed on',
    (engine) => {
      const { status, findings } = fuzz('--engine', engine, '--replay', 'tests/engine-texts.json')
      expect(findings).toEqual([])
      expect(status).toBe(0)
    },
  )

  test('speak generated texts, which a seed repeats', () => {
    const seed = String(testSeed())
    const { status, stderr, findings } = fuzz(
      ...['--engine', 'espeak-ng-native', '--language', 'en-US', '--texts', '20', '--seed', seed],
    )
    expect(stderr).toContain(`seed ${seed}`)
    expect(findings).toEqual([])
    expect(status).toBe(0)
  })
})

test('the program that generates texts explains its options, and refuses wrong ones in one line', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/fuzz-engines.mjs', '--help'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).toContain('--seed')
  const wrong = fuzz('--texts', 'many')
  expect(wrong.status).toBe(2)
  expect(wrong.stderr.trim().split('\n')).toHaveLength(1)
})
