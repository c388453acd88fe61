import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { membersOf, type Role } from '../api/account.js'
import { api } from '../api/api.js'
import { useWorkspace } from '../session/signed-in.js'

const membersKey = ['members']
const invitationsKey = ['invitations']

export const useMembers = () => {
  const { id } = useWorkspace()
  return useQuery({ queryKey: membersKey, queryFn: membersOf(id).list })
}

/** The invitations that are pending. */
export const useInvitations = (enabled: boolean) => {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: invitationsKey,
    queryFn: membersOf(id).invitations,
    enabled,
    select: (invitations) =>
      invitations.filter(({ status, expiresAt }) => status === 'pending' && Date.parse(expiresAt) > Date.now()),
  })
}

/** Whether invitations are mailed. The link is shown to the person who invites only where they are not. */
export const useSendsMail = (): boolean =>
  api.useQuery('get', '/dashboard/api/identity-providers').data?.sends_mail ?? true

/** A change of the members or the invitations. Both lists are loaded again after it. */
const useMemberChange = <Asked, Answer>(
  change: (members: ReturnType<typeof membersOf>, asked: Asked) => Promise<Answer>,
) => {
  const members = membersOf(useWorkspace().id)
  const client = useQueryClient()
  return useMutation({
    mutationFn: (asked: Asked) => change(members, asked),
    onSuccess: () =>
      Promise.all([membersKey, invitationsKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

export const useInvite = () =>
  useMemberChange((members, { email, role }: { email: string; role: Role }) => members.invite(email, role))

export const useCancelInvitation = () => useMemberChange((members, id: string) => members.cancelInvitation(id))

export const useChangeRole = () =>
  useMemberChange((members, { id, role }: { id: string; role: Role }) => members.changeRole(id, role))

export const useRemoveMember = () => useMemberChange((members, id: string) => members.remove(id))
