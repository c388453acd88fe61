/** The properties of each event in a feed, as a client reads them. */
export const feedItems = (icalendar: string): Record<string, string>[] => {
  const lines = icalendar.replace(/\r\n[ \t]/g, '').split('\r\n')
  const items: Record<string, string>[] = []
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') items.push({})
    const [, name, value] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? []
    const item = items.at(-1)
    if (item !== undefined && name !== undefined && !['BEGIN', 'END'].includes(name)) item[name] = value!
  }
  return items
}
