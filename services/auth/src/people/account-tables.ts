/** Where the library keeps its records: the tables of the migrations 004 and 010, whose columns are in snake case. */
import type { PasskeyOptions } from '@better-auth/passkey'
import type { BetterAuthOptions } from 'better-auth'
import type { OrganizationOptions } from 'better-auth/plugins'

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' }

export const accountTables = {
  user: { modelName: 'people', fields: { ...timestamps, emailVerified: 'email_verified' } },
  session: {
    modelName: 'people_sessions',
    fields: {
      ...timestamps,
      userId: 'person_id',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      expiresAt: 'expires_at',
    },
  },
  account: {
    modelName: 'people_accounts',
    fields: {
      ...timestamps,
      userId: 'person_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { ...timestamps, expiresAt: 'expires_at' },
    storeIdentifier: 'hashed',
  },
} satisfies Pick<BetterAuthOptions, 'user' | 'session' | 'account' | 'verification'>

export const organizationTables = {
  session: { fields: { activeOrganizationId: 'active_workspace_id' } },
  organization: { modelName: 'workspaces', fields: { createdAt: 'created_at' } },
  member: {
    modelName: 'members',
    fields: { organizationId: 'workspace_id', userId: 'person_id', createdAt: 'created_at' },
  },
  invitation: {
    modelName: 'invitations',
    fields: {
      organizationId: 'workspace_id',
      inviterId: 'inviter_id',
      expiresAt: 'expires_at',
      createdAt: 'created_at',
    },
  },
} satisfies OrganizationOptions['schema']

export const passkeyTables = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      userId: 'person_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
} satisfies PasskeyOptions['schema']
