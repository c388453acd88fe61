import { z } from 'zod'
import { runEngineTrial } from '../../src/client/index.js'

const run = (script: string) =>
  runEngineTrial({
    command: [process.execPath, '-e', script],
    resultSchema: z.strictObject({ works: z.boolean() }),
    timeoutMs: 20_000,
  })

test('the report of a program is its last line of JSON', async () => {
  expect(await run(`console.log('{"works":true}')`)).toEqual({ works: true })
  const failed = `console.error('no such file'); console.log('{"problems":["The model cannot be read"]}')`
  expect(await run(failed)).toEqual({ problems: ['The model cannot be read: no such file'] })
})

test.each([`console.log('loading'); console.log('{"works":true}')`, `console.log('{"works":1}')`, ''])(
  'a program without a valid report has a problem, and does not affect this process (%s)',
  async (script) => {
    expect(await run(script)).toEqual({ problems: ['The program of the model printed no valid report'] })
  },
)
