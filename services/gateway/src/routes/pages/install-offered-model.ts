import { ServiceError } from '@parlance/contracts'
import { principalOf } from '../../authentication/require-key.js'
import { apiKey, type Route } from '../route.js'
import { checkLocalRequest } from './local-request.js'
import { install, installation, refuseInstallation } from './model-installation.js'

/** Installs a model that a page offers, as `installModel` does for operators. */
export const installOfferedModel: Route = {
  method: 'post',
  path: '/try/models',
  authentication: apiKey(),
  isUndocumented: true,
  operationId: 'installOfferedModel',
  tag: 'Operations',
  summary: 'Install an offered model',
  ...installation,
  errors: ['forbidden_role', 'origin_not_allowed', 'not_found', 'upstream_error'],

  createHandler: ({ modelOffers }) =>
    modelOffers === undefined
      ? refuseInstallation
      : async (req, res) => {
          checkLocalRequest(req)
          if (principalOf(req).workspace_id !== (await modelOffers.findWorkspaceId())) {
            throw new ServiceError(
              'forbidden_role',
              'Only a key of the workspace that npm start created can install models.',
            )
          }
          await install(req, res, modelOffers)
        },
}
