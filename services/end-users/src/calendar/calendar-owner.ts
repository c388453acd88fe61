export interface CalendarOwner {
  readonly workspaceId: string
  readonly endUserId: string
}

export const ownerOf = (request: { readonly workspace_id: string; readonly end_user_id: string }): CalendarOwner => ({
  workspaceId: request.workspace_id,
  endUserId: request.end_user_id,
})
