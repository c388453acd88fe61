import { UserPlus } from 'lucide-react'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { DialogButton } from '../shared/dialog.js'
import { Loaded } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { InvitationTable } from './invitation-table.js'
import { InviteDialog } from './invite-dialog.js'
import { useInvitations, useMembers } from './member-queries.js'
import { MemberTable } from './member-table.js'

export const MembersPage = () => {
  const { role } = useWorkspace()
  const mayManage = isAtLeast(role, 'admin')
  const members = useMembers()
  const invitations = useInvitations(mayManage)
  return (
    <Page
      title="Members"
      description={mayManage ? undefined : 'Owners and Admins invite members and change their roles.'}
      actions={
        mayManage && (
          <DialogButton leftSection={<UserPlus />} label="Invite">
            {(close) => <InviteDialog onClose={close} />}
          </DialogButton>
        )
      }
    >
      <Loaded query={members}>{({ members: listed }) => <MemberTable members={listed} />}</Loaded>
      {mayManage && <Loaded query={invitations}>{(pending) => <InvitationTable invitations={pending} />}</Loaded>}
    </Page>
  )
}
