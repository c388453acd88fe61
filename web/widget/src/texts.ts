/** The texts of the widget in one language. */
export interface Texts {
  readonly title: string
  readonly open: string
  readonly close: string
  readonly start: string
  readonly agree: string
  readonly consent: string
  readonly connecting: string
  readonly reconnecting: string
  readonly listening: string
  readonly thinking: string
  readonly speaking: string
  readonly ended: string
  readonly you: string
  readonly agent: string
  readonly transcript: string
  readonly write: string
  readonly send: string
  readonly mute: string
  readonly hangUp: string
  readonly enableSound: string
  readonly microphone: string
  readonly busy: string
  readonly failed: string
}

const en: Texts = {
  title: 'Assistant',
  open: 'Talk to the assistant',
  close: 'Close',
  start: 'Start talking',
  agree: 'Agree and continue',
  consent: 'What you say is sent to the operator of this page and may be stored.',
  connecting: 'Connecting…',
  reconnecting: 'The connection was lost. Reconnecting…',
  listening: 'Listening',
  thinking: 'Thinking',
  speaking: 'Speaking',
  ended: 'The conversation has ended.',
  you: 'You',
  agent: 'Assistant',
  transcript: 'Conversation',
  write: 'Write a message',
  send: 'Send',
  mute: 'Mute the microphone',
  hangUp: 'Hang up',
  enableSound: 'Turn on the sound',
  microphone: 'The microphone cannot be used. You can allow it in the browser, or write.',
  busy: 'The assistant is not available now. Please try again later.',
  failed: 'The connection failed. Please try again.',
}

const de: Texts = {
  title: 'Assistent',
  open: 'Mit dem Assistenten sprechen',
  close: 'Schließen',
  start: 'Gespräch beginnen',
  agree: 'Zustimmen und fortfahren',
  consent: 'Was Sie sagen, wird an den Betreiber dieser Seite übertragen und kann gespeichert werden.',
  connecting: 'Verbindung wird aufgebaut …',
  reconnecting: 'Die Verbindung ist abgerissen und wird neu aufgebaut …',
  listening: 'Hört zu',
  thinking: 'Denkt nach',
  speaking: 'Spricht',
  ended: 'Das Gespräch ist beendet.',
  you: 'Sie',
  agent: 'Assistent',
  transcript: 'Gespräch',
  write: 'Nachricht schreiben',
  send: 'Senden',
  mute: 'Mikrofon stummschalten',
  hangUp: 'Auflegen',
  enableSound: 'Ton einschalten',
  microphone: 'Das Mikrofon ist nicht verfügbar. Erlauben Sie es im Browser, oder schreiben Sie.',
  busy: 'Der Assistent ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.',
  failed: 'Die Verbindung ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.',
}

const fr: Texts = {
  title: 'Assistant',
  open: 'Parler à l’assistant',
  close: 'Fermer',
  start: 'Commencer à parler',
  agree: 'Accepter et continuer',
  consent: 'Ce que vous dites est transmis à l’exploitant de cette page et peut être enregistré.',
  connecting: 'Connexion…',
  reconnecting: 'La connexion a été perdue. Reconnexion…',
  listening: 'À l’écoute',
  thinking: 'Réfléchit',
  speaking: 'Parle',
  ended: 'La conversation est terminée.',
  you: 'Vous',
  agent: 'Assistant',
  transcript: 'Conversation',
  write: 'Écrire un message',
  send: 'Envoyer',
  mute: 'Couper le micro',
  hangUp: 'Raccrocher',
  enableSound: 'Activer le son',
  microphone: 'Le micro n’est pas disponible. Autorisez-le dans le navigateur, ou écrivez.',
  busy: 'L’assistant n’est pas disponible pour le moment. Veuillez réessayer plus tard.',
  failed: 'La connexion a échoué. Veuillez réessayer.',
}

const es: Texts = {
  title: 'Asistente',
  open: 'Hablar con el asistente',
  close: 'Cerrar',
  start: 'Empezar a hablar',
  agree: 'Aceptar y continuar',
  consent: 'Lo que diga se envía al responsable de esta página y puede guardarse.',
  connecting: 'Conectando…',
  reconnecting: 'Se perdió la conexión. Reconectando…',
  listening: 'Escuchando',
  thinking: 'Pensando',
  speaking: 'Hablando',
  ended: 'La conversación ha terminado.',
  you: 'Usted',
  agent: 'Asistente',
  transcript: 'Conversación',
  write: 'Escribir un mensaje',
  send: 'Enviar',
  mute: 'Silenciar el micrófono',
  hangUp: 'Colgar',
  enableSound: 'Activar el sonido',
  microphone: 'No se puede usar el micrófono. Permítalo en el navegador o escriba.',
  busy: 'El asistente no está disponible ahora. Inténtelo más tarde.',
  failed: 'La conexión ha fallado. Inténtelo de nuevo.',
}

const languages: Readonly<Record<string, Texts>> = { en, de, fr, es }

/** The first of these BCP 47 tags that has texts, and its texts; English for none. */
export const textsFor = (tags: readonly (string | null | undefined)[]): { language: string; texts: Texts } => {
  const known = tags.map((tag) => tag?.toLowerCase().split('-')[0] ?? '').find((tag) => Object.hasOwn(languages, tag))
  return { language: known ?? 'en', texts: languages[known ?? 'en'] ?? en }
}
