import type { Avatar, TimedViseme } from '@parlance/client'

/** How far an avatar has come. */
export interface AvatarLoad {
  readonly status: 'idle' | 'downloading' | 'verifying' | 'parsing' | 'ready' | 'error'
  /** From 0 to 1 over all of it. */
  readonly progress: number
  readonly loaded_bytes: number
  readonly total_bytes: number
  /** With `error` only. */
  readonly error?: Error
}

export const noAvatar: AvatarLoad = { status: 'idle', progress: 0, loaded_bytes: 0, total_bytes: 0 }

/** What is used of `@parlance/avatar`. */
interface AvatarModule {
  createAvatar(
    container: HTMLElement,
    options: {
      readonly avatar: Avatar
      readonly apiOrigin: string
      readonly speech: { positionMs(): number | undefined; visemes(): readonly TimedViseme[] }
      readonly onLoad: (load: AvatarLoad) => void
    },
  ): { close(): void }
}

/** Bundlers make a file of its own of it, which is loaded only now. */
export const importAvatar = async (): Promise<AvatarModule> =>
  (await import('@parlance/avatar')) as unknown as AvatarModule
