/** A path of the dashboard, or `/` for anything else, such as an address of another site. */
export const localPath = (path: string | undefined, own = location.origin): string => {
  const { origin, pathname, search } = new URL(path ?? '/', own)
  // A browser treats the text after two slashes as a host name.
  return origin === own && !pathname.startsWith('//') ? `${pathname}${search}` : '/'
}

/** Redirects to the sign-in page, and from there back to this one. This clears all memory. */
export const signInAgain = (): void => {
  if (location.pathname === '/sign-in') return
  location.assign(`/sign-in?${new URLSearchParams({ next: `${location.pathname}${location.search}` })}`)
}
