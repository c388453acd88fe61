/**
 * Whether a request comes from a page of this gateway in a browser on this machine. Requests of other machines, of pages of
 * other sites and of proxies do not.
 */
import type { IncomingMessage } from 'node:http'
import { type ModelOffers, type Principal, ServiceError } from '@parlance/contracts'

const loopbackAddress = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/
/** Another site can resolve its own name to this machine, but not one of these names. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const proxyHeader = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/

/** Whether the client is on this machine, called it by a name of this machine, without a proxy in between. */
const isLocalRequest = ({ headers, socket }: IncomingMessage): boolean =>
  loopbackAddress.test(socket.remoteAddress ?? '') &&
  loopbackHost.test(headers.host ?? '') &&
  !Object.keys(headers).some((name) => proxyHeader.test(name))

/** Throws `forbidden_role` for a request from elsewhere, and `origin_not_allowed` for one that no page of this gateway sent. */
export const checkLocalRequest = (request: IncomingMessage): void => {
  if (!isLocalRequest(request)) {
    throw new ServiceError(
      'forbidden_role',
      'Models are installed here only from the machine that Parlance runs on. Use npx parlance models install there.',
    )
  }
  const { origin, host } = request.headers
  if (origin !== `http://${host}`) {
    throw new ServiceError('origin_not_allowed', 'Only pages of this gateway may send this request.')
  }
}

/** Whether a caller on this machine belongs to the workspace that may install models, and a member has the role for it. */
export const mayInstall = async (
  request: IncomingMessage,
  principal: Principal,
  offers: ModelOffers | undefined,
): Promise<boolean> =>
  isLocalRequest(request) &&
  !('role' in principal && principal.role === 'member') &&
  principal.workspace_id === (await offers?.findWorkspaceId())
