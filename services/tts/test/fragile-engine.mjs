// An engine for tests: it dies of a text with CRASH in it, is silent for ever at HANG, and else speaks a short tone. WARN comes
// first.
import { writeSync } from 'node:fs'
import { runEngineHost } from '@parlance/engine/host'

await runEngineHost(() => ({
  hello: {
    engine: 'fragile',
    version: '1',
    sampleRateHz: 16_000,
    voices: [
      {
        id: 'f'.repeat(32),
        displayName: 'Frail',
        description: '',
        languages: ['en'],
        gender: 'neutral',
        tags: [],
        license: 'CC0-1.0',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        variants: [{ id: 'standard', displayName: 'Standard', creditPer1kCharacters: '0.015' }],
      },
    ],
  },
  speak({ text }, output) {
    if (text.includes('WARN')) writeSync(2, 'a warning')
    if (text.includes('CRASH')) process.abort()
    if (text.includes('HANG')) for (;;);
    output.audio(new Int16Array(1600).fill(1000))
  },
}))
