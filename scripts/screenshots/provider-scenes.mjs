// The page of model providers in every state.
import { click } from './actions.mjs'
import { at, failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'

const provider = (number, kind, name, url = null) => ({
  ...{ id: id(number), kind, name, url },
  ...{ has_key: number !== 3, created_at: at(number) },
})

export const providers = [
  provider(1, 'openai', 'OpenAI'),
  provider(2, 'anthropic', rightToLeft),
  provider(3, 'openai_compatible', longName, 'https://models.internal.a-long-name-of-a-company.example.com/v1'),
]

const path = '/model-providers'
const withProviders = (listed) => ({ ...signedInAs('owner'), '/dashboard/api/providers': listed })
const listOf = (found) => withProviders({ body: { providers: found } })

const test = async (page) => {
  await page.getByRole('button', { name: 'Test OpenAI' }).click()
  await page.getByRole('combobox', { name: 'Model' }).fill('gpt-9')
  await page.getByRole('button', { name: 'Send a request' }).click()
  await page.getByRole('status').waitFor()
}
const tested = (outcome) => ({
  ...listOf(providers),
  [`/dashboard/api/providers/${id(1)}/test`]: { body: outcome },
})
const refused = {
  ok: false,
  detail: 'The language model failed. Try again. Reason: the server answered with status 401.',
  first_text_ms: null,
}

export const providerScenes = [
  { name: 'model-providers', path, answers: listOf(providers) },
  { name: 'model-providers-empty', path, answers: listOf([]) },
  { name: 'model-providers-loading', path, answers: withProviders('pending') },
  {
    name: 'model-providers-failed',
    path,
    answers: withProviders(failed),
  },
  { name: 'model-providers-add', path, answers: listOf(providers), act: click('Add a provider') },
  { name: 'model-providers-test', path, answers: tested({ ok: true, detail: '', first_text_ms: 318 }), act: test },
  { name: 'model-providers-test-failed', path, answers: tested(refused), act: test },
  { name: 'model-providers-delete', path, answers: listOf(providers), act: click('Delete OpenAI') },
]
