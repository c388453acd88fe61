/** A path of the dashboard, or `/` for anything else, such as an address of another site. */
export const localPath = (path: string | undefined, own = location.origin): string => {
  const { origin, pathname, search } = new URL(path ?? '/', own)
  // A browser takes what follows two slashes for the name of a host.
  return origin === own && !pathname.startsWith('//') ? `${pathname}${search}` : '/'
}

/** Leads to the page on which to sign in, and from there back to this one. Everything in memory goes. */
export const signInAgain = (): void => {
  if (location.pathname === '/sign-in') return
  location.assign(`/sign-in?${new URLSearchParams({ next: `${location.pathname}${location.search}` })}`)
}
