/** The XML that answers telephone networks. Their dialects have the verbs here in common. */

const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => escaped[character]!)

export const xmlAttributes = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('')

export const xmlResponse = (verbs: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`

/** Of TwiML and TeXML. */
export const connectStream = (
  attributes: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>>,
): string => {
  const passed = Object.entries(parameters).map(([name, value]) => `<Parameter${xmlAttributes({ name, value })}/>`)
  return `<Connect><Stream${xmlAttributes(attributes)}>${passed.join('')}</Stream></Connect>`
}

/** The caller ID of the second call must be a number of the account. */
export const dial = (callerId: string, to: string): string =>
  `<Dial${xmlAttributes({ callerId })}><Number>${escapeXml(to)}</Number></Dial>`
