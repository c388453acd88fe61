import { creditBalanceSchema } from '@parlance/contracts'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { apiKey, json, type Route } from '../route.js'

const { balance, reserved } = creditBalanceSchema.shape

const creditSchema = creditBalanceSchema
  .extend({
    balance: balance.meta({ description: 'The credit that is not spent.', example: '12.40' }),
    reserved: reserved.meta({
      description:
        'The part of the balance that is reserved for work in progress. It is charged or returned when the work ends.',
      example: '0.10',
    }),
  })
  .meta({ id: 'Credit' })

export const getCredit: Route = {
  method: 'get',
  path: '/v1/credit',
  authentication: apiKey(),
  operationId: 'getCredit',
  tag: 'Credit',
  summary: 'Read the credit',
  description: 'Work reserves credit before it begins, and is charged when it ends.',
  responses: { 200: json('OK', creditSchema) },

  createHandler: ({ credit }) =>
    forward(async (req) => {
      const { workspace_id } = principalOf(req)
      return credit.raw.getBalance({ workspace_id }, { context: req.context })
    }, 'no-store'),
}
