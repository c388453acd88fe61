import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import type { TlsOptions } from '@nats-io/transport-node'

/** Paths of PEM files. */
export interface NatsTlsFiles {
  /** The certificate authorities to trust, in place of those that Node trusts. */
  readonly caFile?: string | undefined
  /** The client's certificate and its key, for servers that verify clients. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}

/** The `this` that `tls.connect` passes to its identity check. */
interface IdentityCheckOptions {
  readonly servername?: string
  readonly socket?: { readonly remoteAddress?: string }
}

/**
 * The NATS client passes no server name for a server that is named by its IP address, and Node then compares the
 * certificate with `localhost`. This check compares it with the address of the connection.
 */
function checkIdentity(this: IdentityCheckOptions | undefined, name: string, certificate: PeerCertificate) {
  const address = this?.servername ? undefined : this?.socket?.remoteAddress
  return checkServerIdentity(address ?? name, certificate)
}

/** Returns options for the NATS client, which passes those that it does not know on to `tls.connect`. */
export const createTlsOptions = ({ caFile, certFile, keyFile }: NatsTlsFiles): NonNullable<TlsOptions> => {
  const options = {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
    checkServerIdentity: checkIdentity,
  }
  return options
}
