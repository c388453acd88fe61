// The choice of the dashboard's menu, which the component library of its pages keeps.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const dark = matchMedia('(prefers-color-scheme: dark)')
const setScheme = () => {
  const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches)
  const { classList, dataset } = document.documentElement
  classList.toggle('dark-mode', isDark)
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
setScheme()
dark.addEventListener('change', setScheme)

/** Plays the speech that was answered, since Swagger UI's own player would ask for the URL again, without body and key. */
const adaptedParts = ({ React: { createElement, useEffect, useMemo } }) => {
  const SpokenAnswer = ({ audio }) => {
    const url = useMemo(() => URL.createObjectURL(audio), [audio])
    useEffect(() => () => URL.revokeObjectURL(url), [url])
    return createElement(
      'div',
      { className: 'spoken-answer' },
      createElement('audio', { src: url, controls: true }),
      createElement('a', { href: url, download: 'speech' }, 'Download'),
    )
  }
  const isSpeech = ({ content, contentType }) => content instanceof Blob && /^audio\//.test(contentType)
  const responseBody = (Original) => (props) =>
    isSpeech(props) ? createElement(SpokenAnswer, { audio: props.content }) : createElement(Original, props)
  // The path of an operation is in the button that opens it, where a link would be a control in a control.
  const DeepLink =
    () =>
    ({ text }) =>
      createElement('span', null, text)
  return { wrapComponents: { responseBody, DeepLink } }
}

/**
 * Puts schemas in the place of the references to them, in one part of the document; a reference within its own schema stays. Swagger UI's own
 * resolver reads the whole document for each part: two thirds of the CPU time until the page is shown, and of that to open an operation.
 */
const resolveSubtree = async (document, path) => {
  const at = (names) => names.reduce((part, name) => part?.[name], document)
  const resolve = (value, within = []) => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, within))
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value
    if (typeof $ref !== 'string' || within.includes($ref))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, within)]))
    // Swagger UI shows the name of a schema from this.
    return { ...resolve(at($ref.slice('#/'.length).split('/')), [...within, $ref]), $$ref: $ref }
  }
  return { spec: resolve(at(path)), errors: [] }
}

window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [adaptedParts, { fn: { resolveSubtree } }],
  // Neither a key nor a document leaves for anywhere: no validator on the net, no key kept in the browser.
  validatorUrl: null,
  persistAuthorization: false,
})
