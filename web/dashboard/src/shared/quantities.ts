const whole = new Intl.NumberFormat('en')
const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Such as "12,345". */
export const formatCount = (count: number): string => whole.format(count)

const partsOf = (seconds: number): readonly string[] => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return [formatCount(hours), 'h', String(minutes), 'min']
  return minutes > 0 ? [String(minutes), 'min', String(seconds % 60), 's'] : [String(seconds), 's']
}

/** Such as "42 s", "3 min 7 s" or "2 h 5 min", with spaces at which a line is not broken. */
export const formatDuration = (seconds: number): string => partsOf(Math.round(seconds)).join('\u00a0')

/** Such as "340 ms" or "1.2 s". */
export const formatMs = (ms: number): string => (ms < 999.5 ? `${Math.round(ms)} ms` : `${tenth.format(ms / 1000)} s`)

/** Such as "2.3 MB". */
export const formatBytes = (bytes: number): string =>
  bytes < 1e6 ? `${tenth.format(bytes / 1e3)} kB` : `${tenth.format(bytes / 1e6)} MB`
