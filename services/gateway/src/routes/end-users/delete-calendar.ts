import { respondNothing } from '../../http/json-response.js'
import { endUserAddressOf, endUserParameters } from '../path-parameters.js'
import { apiKey, type Route } from '../route.js'

export const deleteCalendar: Route = {
  method: 'delete',
  path: '/v1/end-users/:endUserId/calendar',
  authentication: apiKey('agents'),
  operationId: 'deleteCalendar',
  tag: 'End users',
  summary: "Delete an end user's calendar",
  description: 'Deletes all appointments. The address of the feed is no longer valid.',
  request: { params: endUserParameters },
  responses: { 204: { description: 'The calendar was deleted or did not exist.' } },

  createHandler: ({ calendar }) =>
    respondNothing((req) => calendar.deleteCalendar(endUserAddressOf(req), { context: req.context })),
}
