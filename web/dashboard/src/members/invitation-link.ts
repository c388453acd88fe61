/** The address at which a person accepts an invitation, for an inviter to send where no mails are sent. */
export const invitationLink = (id: string): string => `${location.origin}/invitation?${new URLSearchParams({ id })}`
