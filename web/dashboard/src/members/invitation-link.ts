/** The address at which a person accepts an invitation. Its id is the secret. */
export const invitationLink = (id: string): string => `${location.origin}/invitation?${new URLSearchParams({ id })}`
