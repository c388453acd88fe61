// The page of telephone numbers.
import { click } from './actions.mjs'
import { at, id, signedInAs } from './answers.mjs'

const number = (count, digits, provider, account_sid) => ({
  ...{ id: id(count), number: digits, agent_id: id(count), provider, account_sid, created_at: at(count) },
  webhook_url: `https://speech.example.com/v1/telephony/${provider}${provider === 'telnyx' ? `?workspace=${id(9)}` : ''}`,
})

const path = '/phone-numbers'
const listOf = (numbers) => ({ ...signedInAs('owner'), '/dashboard/api/phone-numbers': { body: { numbers } } })
const numbers = [
  number(1, '+4930123456', 'twilio', `AC${'0'.repeat(26)}12ab1f`),
  number(2, '+14155550123', 'telnyx', `${'0'.repeat(37)}12ab2f=`),
  number(3, '+14155550124', 'plivo', `MA${'0'.repeat(12)}12AB3F`),
]

export const phoneScenes = [
  { name: 'phone-numbers', path, answers: listOf(numbers) },
  { name: 'phone-numbers-empty', path, answers: listOf([]) },
  { name: 'phone-numbers-add', path, answers: listOf(numbers), act: click('Add a number') },
]
