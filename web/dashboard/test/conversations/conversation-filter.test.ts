import { conversationFilterOf, isFiltered, queryOf } from '../../src/conversations/conversation-filter.js'

const agent = '00000000-0000-4000-8000-000000000001'

test('the filter has the valid parameters of the URL', () => {
  const search = {
    agent,
    end_user: agent,
    status: 'failed',
    reason: 'llm_error',
    said: '100 %',
    from: '2026-01-30',
    to: '2026-01-31',
  }
  expect(conversationFilterOf({ ...search, page: 2 })).toEqual(search)
  expect(conversationFilterOf({ agent: 'x', status: 'toString', from: '2026-13-01', to: 7 })).toEqual({})
  expect(conversationFilterOf({ reason: 'toString', said: ' ' })).toEqual({})
  expect(conversationFilterOf({ said: 'a'.repeat(201) })).toEqual({})
  expect(queryOf({ reason: 'llm_error', said: '100 %' })).toEqual({ end_reason: 'llm_error', text: '100 %' })
  expect(queryOf({ end_user: agent })).toEqual({ end_user_id: agent })
  expect([isFiltered({}), isFiltered({ status: 'ended' })]).toEqual([false, true])
})

test('both days are included, from midnight to midnight in the person’s time zone', () => {
  const { started_after, started_before, ...rest } = queryOf({ agent, from: '2026-12-31', to: '2026-12-31' })
  expect(rest).toEqual({ agent_id: agent })
  expect(new Date(started_after!).getTime()).toBe(new Date(2026, 11, 31).getTime())
  expect(new Date(started_before!).getTime()).toBe(new Date(2027, 0, 1).getTime())
})
