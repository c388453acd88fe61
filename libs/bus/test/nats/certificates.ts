import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

// Node's types have another name for it than the library's.
cryptoProvider.set(webcrypto as unknown as Parameters<typeof cryptoProvider.set>[1])

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const lifeMs = 24 * 60 * 60 * 1000

/** Paths of PEM files. */
export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface CertificateAuthority {
  readonly caFile: string
  /** A certificate for servers and clients, valid for the given DNS names and IP addresses. */
  issue(name: string, validFor: { dns?: readonly string[]; ips?: readonly string[] }): Promise<CertificateFiles>
}

/** A certificate authority for one test, whose files are written to `folder`. */
export const createCertificateAuthority = async (folder: string, name: string): Promise<CertificateAuthority> => {
  const validity = { notBefore: new Date(Date.now() - lifeMs), notAfter: new Date(Date.now() + lifeMs) }
  const subject = `CN=${name}`
  const caKeys = await createKeys()
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: subject,
    keys: caKeys,
    signingAlgorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  const caFile = join(folder, `${name}.pem`)
  await writeFile(caFile, ca.toString('pem'))
  return {
    caFile,
    async issue(commonName, { dns = [], ips = [] }) {
      const keys = await createKeys()
      const certificate = await X509CertificateGenerator.create({
        ...validity,
        serialNumber: serialNumber(),
        subject: `CN=${commonName}`,
        issuer: subject,
        publicKey: keys.publicKey,
        signingKey: caKeys.privateKey,
        signingAlgorithm,
        extensions: [
          new SubjectAlternativeNameExtension([
            ...dns.map((value) => ({ type: 'dns' as const, value })),
            ...ips.map((value) => ({ type: 'ip' as const, value })),
          ]),
        ],
      })
      return writeFiles(join(folder, commonName), certificate, keys.privateKey)
    },
  }
}

const createKeys = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])

const serialNumber = () => `01${randomBytes(8).toString('hex')}`

const writeFiles = async (
  path: string,
  certificate: X509Certificate,
  key: webcrypto.CryptoKey,
): Promise<CertificateFiles> => {
  const files = { certFile: `${path}.pem`, keyFile: `${path}-key.pem` }
  const keyBytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  const lines = keyBytes.toString('base64').match(/.{1,64}/g) ?? []
  await writeFile(files.certFile, certificate.toString('pem'))
  await writeFile(files.keyFile, ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n'))
  return files
}
