import { z } from 'zod'
import { principalSchema, workspaceSchema } from './auth.js'
import { call, contract } from './contract.js'
import { idSchema, timestampSchema } from './primitives.js'

/** What a person may do in a workspace. Owners and Admins manage keys and members; Owners manage Owners. */
export const roleSchema = z.enum(['owner', 'admin', 'member'])
export type Role = z.infer<typeof roleSchema>

export const personSchema = z.object({
  id: idSchema,
  email: z.email().max(254),
  name: z.string().min(1).max(200),
})
export type Person = z.infer<typeof personSchema>

export const passwordSchema = z.string().min(10).max(128)

/** A workspace as one of its members sees it. */
export const membershipSchema = workspaceSchema
  .pick({ id: true, name: true, capabilities: true, suspended: true })
  .extend({ role: roleSchema })
export type Membership = z.infer<typeof membershipSchema>

/** A signed-in person in one workspace. `key_id` is a key without a value: it ends with the membership. */
const memberPrincipalSchema = principalSchema.extend({ person_id: idSchema, role: roleSchema })
export type MemberPrincipal = z.infer<typeof memberPrincipalSchema>

/** A member as operators see one. */
const workspaceMemberSchema = personSchema.extend({
  role: roleSchema,
  /** Whether the person has chosen a password. Without one, the person needs a link to sign in. */
  has_password: z.boolean(),
})
export type WorkspaceMember = z.infer<typeof workspaceMemberSchema>

/** A link that can be used once. `path` is below the address of the gateway. */
const accountLinkSchema = z.object({
  path: z.string(),
  /** With the address of the gateway; null where the service does not know it. */
  url: z.url().nullable(),
  expires_at: timestampSchema,
})
export type AccountLink = z.infer<typeof accountLinkSchema>

/** An identity provider with which people can sign in. */
const identityProviderSchema = z.object({
  id: z.string(),
  /** The name that people see. */
  name: z.string(),
})

/** The folder of the gateway below which the account routes are. */
export const accountPath = '/dashboard/auth'

const cookieSchema = z.string().max(8_192)

export const peopleContract = contract({
  name: 'people',
  version: '1.3.0',
  description: 'People, how they sign in, and their roles in workspaces',
  methods: {
    /** A complete HTTP request below `accountPath`, and the response to it. */
    handleAccountRequest: call({
      request: z.strictObject({
        method: z.enum(['GET', 'POST']),
        /** The URL, with the origin that the client uses. */
        url: z.url({ protocol: /^https?$/ }).max(8_192),
        /** Names in lower case. */
        headers: z.record(z.string(), z.string()),
        body: z
          .string()
          .max(64 * 1024)
          .optional(),
        /** The client's IP address. */
        client_address: z.string().max(64),
      }),
      reply: z.object({
        status: z.int(),
        /** A name may occur more than once. */
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.string(),
      }),
      errors: ['invalid_request', 'unauthorized', 'forbidden_role', 'origin_not_allowed', 'not_found', 'rate_limited'],
    }),
    /** What people can sign in with besides a password. */
    listIdentityProviders: call({
      request: z.strictObject({}),
      reply: z.object({
        providers: z.array(identityProviderSchema),
        /** Whether people can sign in with passkeys. */
        passkeys: z.boolean(),
        /** Whether mails are sent. Otherwise a person who invites sends the link of the invitation. */
        sends_mail: z.boolean().default(false),
      }),
    }),
    /** The person who is signed in by this `Cookie` header, and the first 1,000 workspaces of that person, oldest first. */
    getSignedIn: call({
      request: z.strictObject({ cookie: cookieSchema }),
      reply: z.object({
        person: personSchema,
        workspaces: z.array(membershipSchema),
        is_operator: z.boolean().default(false),
      }),
      errors: ['unauthorized'],
    }),
    /** The same person, who must be an operator. */
    getOperator: call({
      request: z.strictObject({ cookie: cookieSchema }),
      reply: personSchema,
      errors: ['unauthorized', 'forbidden_role'],
    }),
    /** The same person as the caller of requests for one workspace. `not_found` for a workspace of others. */
    getMember: call({
      request: z.strictObject({ cookie: cookieSchema, workspace_id: idSchema }),
      reply: memberPrincipalSchema,
      errors: ['unauthorized', 'not_found'],
    }),
    /** What an invitation that is pending is for. Its id is known to the person who is invited, and to the inviters. */
    getInvitation: call({
      request: z.strictObject({ invitation_id: idSchema }),
      reply: z.object({
        email: personSchema.shape.email,
        workspace: workspaceSchema.shape.name,
        /** Whether the person can sign in already, and then accept. */
        has_account: z.boolean(),
      }),
      errors: ['not_found'],
    }),
    /**
     * Makes the person that an invitation is for. The person signs in then, and accepts the invitation. The token is in the
     * link that was mailed, or that an operator made, and proves the address. Where mails are sent it is required.
     */
    createInvitedPerson: call({
      request: z.strictObject({
        invitation_id: idSchema,
        token: idSchema.optional(),
        name: personSchema.shape.name,
        password: passwordSchema,
      }),
      reply: personSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /**
     * Makes a person a member of a workspace. Creates the person when no person has this address. Refused for a person
     * whose address was never proven. For operators.
     */
    addPerson: call({
      request: z.strictObject({
        email: personSchema.shape.email,
        name: personSchema.shape.name.optional(),
        workspace_id: idSchema,
        role: roleSchema,
      }),
      reply: personSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /** A link that signs a person in, or one that sets a new password. For operators. */
    createAccountLink: call({
      request: z.strictObject({ email: personSchema.shape.email, kind: z.enum(['sign_in', 'password']) }),
      reply: accountLinkSchema,
      errors: ['not_found'],
    }),
    /** The link of a new invitation. Other invitations of this address to the workspace end. For operators. */
    createInvitation: call({
      request: z.strictObject({ workspace_id: idSchema, email: personSchema.shape.email, role: roleSchema }),
      reply: accountLinkSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /** The first 1,000 members of a workspace, oldest first. For operators. */
    listMembers: call({
      request: z.strictObject({ workspace_id: idSchema }),
      reply: z.object({ members: z.array(workspaceMemberSchema) }),
    }),
    /** Ends a membership and everything that the person has open in the workspace. For operators. */
    removeMember: call({
      request: z.strictObject({ workspace_id: idSchema, email: personSchema.shape.email }),
      reply: z.object({}),
      errors: ['not_found'],
    }),
    /** Grants or withdraws the rights of an operator in the dashboard. For operators. */
    setOperator: call({
      request: z.strictObject({ email: personSchema.shape.email, is_operator: z.boolean() }),
      reply: personSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /** The first 1,000 people who are operators, by their addresses. For operators. */
    listOperators: call({ request: z.strictObject({}), reply: z.object({ operators: z.array(personSchema) }) }),
    /** Signs a person out in all browsers. For operators. */
    signOutEverywhere: call({
      request: z.strictObject({ email: personSchema.shape.email }),
      reply: z.object({ sessions: z.int() }),
      errors: ['not_found'],
    }),
  },
})
