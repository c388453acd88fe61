import { install, installation, refuseInstallation } from '../pages/model-installation.js'
import { operator, type Route } from '../route.js'

export const installModel: Route = {
  method: 'post',
  path: '/dashboard/api/operator/models',
  authentication: operator,
  operationId: 'installModel',
  tag: 'Operations',
  summary: 'Install a model of the catalog',
  description: 'A client that hangs up stops the installation. The part that was downloaded is kept for the next one.',
  ...installation,
  errors: ['concurrency_limited', 'upstream_error', 'draining'],
  createHandler: ({ modelAdministration }) =>
    modelAdministration === undefined ? refuseInstallation : (req, res) => install(req, res, modelAdministration),
}
