import { pageTool } from './fake-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

describe('tools of the page', () => {
  const page = (timeout_ms = 5000) => conversation({ pageTools: [pageTool('open_page', { timeout_ms })] }).ready()

  test('the page is sent a call and answers it', async () => {
    const talk = await page()
      .replies({ calls: [['open_page', { path: '/cart' }]] }, 'Here is your cart.')
      .types('Open the cart.')
      .pageIsCalled()
      .pageAnswers({ opened: true })
      .agent()
      .agentIsDone()
      .run()
    expect(talk.events('tool.call')).toMatchObject([{ name: 'open_page', arguments: { path: '/cart' } }])
    expect(talk.answers()).toEqual(['open_page: {"opened":true}'])
    expect(talk.errors()).toEqual([])
  })

  test.each([
    ['opened', 'opened'],
    [undefined, 'Done.'],
    [null, 'null'],
    [5, '5'],
    [['a', { b: 1 }], '["a",{"b":1}]'],
  ])('%j is given to the model as "%s"', async (result, text) => {
    const talk = await page()
      .replies({ calls: ['open_page'] })
      .types('Open.')
      .pageIsCalled()
      .pageAnswers(result)
      .agent()
      .run()
    expect(talk.answers()).toEqual([`open_page: ${text}`])
  })

  test('a result that is nested too deep is an error, and the conversation continues', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(8000)}${']'.repeat(8000)}`)
    const talk = await page()
      .replies({ calls: ['open_page'] }, 'That went wrong.')
      .types('Open.')
      .pageIsCalled()
      .pageAnswers(deep)
      .agent()
      .agentIsDone()
      .run()
    expect(talk.answers()[0]).toContain('nested too deep')
    expect(talk.transcript().at(-1)).toBe('agent: That went wrong.')
  })

  test('the model receives an error of the page as an error', async () => {
    const talk = await page()
      .replies({ calls: ['open_page'] })
      .types('Open.')
      .pageIsCalled()
      .pageAnswers('no such page', { isError: true })
      .agent()
      .run()
    expect(talk.llm.requests.at(-1)!.messages.at(-1)).toMatchObject({
      calls: [{ result: 'no such page', isError: true }],
    })
  })

  test('two calls at once are matched with their answers, in whichever order these come', async () => {
    const talk = await page()
      .replies({
        calls: [
          ['open_page', { n: 1 }],
          ['open_page', { n: 2 }],
        ],
      })
      .types('Open both.')
      .pageIsCalled()
      .pageAnswers('second')
      .pageAnswers('first', { before: 1 })
      .agent()
      .run()
    expect(talk.answers()).toEqual(['open_page: first', 'open_page: second'])
  })

  test('a result is taken once', async () => {
    const talk = await page()
      .replies({ calls: ['open_page'] }, 'Done.')
      .types('Open.')
      .pageIsCalled()
      .pageAnswers('one')
      .pageAnswers('other')
      .agent()
      .run()
    expect(talk.errors()).toEqual(['invalid_request'])
    expect(talk.answers()).toEqual(['open_page: one'])
  })

  test('a result without a call is refused', async () => {
    const talk = await page()
      .send({ event: 'tool.result', tool_call_id: 'made-up', result: 'x', is_error: false })
      .run()
    expect(talk.errors()).toEqual(['invalid_request'])
  })

  test('the conversation waits for a page until the timeout, and a later answer is refused', async () => {
    const talk = await page(1000)
      .replies({ calls: ['open_page'] }, 'It did not open.')
      .types('Open.')
      .pageIsCalled()
      .pause(1100)
      .pageAnswers('late')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.errors()).toEqual(['invalid_request'])
    expect(talk.answers()[0]).toContain('did not answer within 1000 ms')
  })

  test('a result that comes after the end of the turn is refused', async () => {
    const talk = await page()
      .replies({ calls: ['open_page'] }, 'All right.')
      .types('Open.')
      .pageIsCalled()
      .types('No, do not.')
      .pageAnswers('opened')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.errors()).toEqual(['invalid_request'])
    expect(talk.transcript().at(-1)).toBe('agent: All right.')
    expect(talk.llm.requests).toHaveLength(2)
  })
})
