{{/* Fails for a variable that the chart derives from another value, as the pod must match it. */}}
{{- define "parlance.refuseDerived" -}}
{{- $values := dict
  "MODELS_DIR" "models.enabled, and models.volume.existingClaim for a volume of yours"
  "SESSION_DRAIN_MS" "services.sessions.drainSeconds"
  "SESSION_UDP_PORT" "media.port"
  "STREAM_DRAIN_MS" "services.gateway.drainSeconds"
  "TTS_ENGINES_FILE" "engines, the contents of the file"
}}
{{- range $variable, $value := $values }}
  {{- if hasKey $.service.env $variable }}
  {{- fail (printf "services.%s.env.%s: the chart sets it; use %s" $.name $variable $value) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The variables of a service's container. What the values set overrides what the chart sets. */}}
{{- define "parlance.environment" -}}
{{- include "parlance.refuseDerived" . }}
{{- $values := .root.Values }}
{{- /* Less than the startup probe allows: a pod then waits for servers that start with it, and is not restarted. */}}
{{- $env := dict "HEALTH_PORT" "8081" "STARTUP_WAIT_MS" "150000" }}
{{- if eq .name "gateway" }}
  {{- $_ := set $env "PORT" "8080" }}
  {{- $_ = set $env "HTTP_DRAIN_MS" (mul 1000 (min 15 .service.drainSeconds)) }}
{{- end }}
{{- if .facts.apiKeys }}
  {{- $_ := set $env "API_KEY_ENVIRONMENT" $values.apiKeyEnvironment }}
{{- end }}
{{- with .facts.drainVariable }}
  {{- $_ := set $env . (mul $.service.drainSeconds 1000) }}
{{- end }}
{{- if eq .name "sessions" }}
  {{- $_ := set $env "SESSION_UDP_PORT" $values.media.port }}
{{- end }}
{{- if and .facts.models $values.models.enabled }}
  {{- $_ := set $env "MODELS_DIR" "/srv/models" }}
{{- end }}
{{- if and (eq .name "tts") $values.engines }}
  {{- $_ := set $env "TTS_ENGINES_FILE" "/etc/parlance/engines/engines.json" }}
{{- end }}
{{- if has .name (list "auth" "gateway") }}
  {{- with $values.publicUrl }}{{ $_ := set $env "PUBLIC_URL" . }}{{ end }}
{{- end }}
{{- if eq .name "gateway" }}
  {{- with $values.trustedProxies }}{{ $_ := set $env "TRUSTED_PROXIES" (join "," .) }}{{ end }}
{{- end }}
{{- $sendsMail := and (eq .name "auth") $values.mail.from }}
{{- if $sendsMail }}
  {{- $_ := set $env "MAIL_FROM" $values.mail.from }}
  {{- $_ = required "publicUrl is required with mail.from: links in mails begin with it" $values.publicUrl }}
{{- end }}
{{- $signsInByProvider := and (eq .name "auth") $values.oidc.issuer }}
{{- if $signsInByProvider }}
  {{- $_ := set $env "OIDC_ISSUER" $values.oidc.issuer }}
  {{- $_ = set $env "OIDC_CLIENT_ID" (required "oidc.clientId is required with oidc.issuer" $values.oidc.clientId) }}
  {{- with $values.oidc.name }}{{ $_ := set $env "OIDC_NAME" . }}{{ end }}
  {{- $_ = required "publicUrl is required with oidc.issuer: the provider sends people back there" $values.publicUrl }}
{{- end }}
{{- $env = mustMergeOverwrite $env (include "parlance.natsVariables" . | fromYaml) $values.env .service.env }}
{{- range $name := keys $env | sortAlpha }}
- name: {{ $name }}
  value: {{ include "parlance.scalar" (get $env $name) | quote }}
{{- end }}
{{- if and (eq .name "sessions") (eq $values.media.mode "hostNetwork") (not (hasKey $env "SESSION_ANNOUNCED_ADDRESS")) }}
- name: SESSION_ANNOUNCED_ADDRESS
  valueFrom: { fieldRef: { fieldPath: status.hostIP } }
{{- end }}
{{- include "parlance.natsSecrets" . }}
{{- range include "parlance.secretsOf" . | fromYamlArray }}
{{- include "parlance.secretVariable" (dict "root" $.root "variable" .) }}
{{- end }}
{{- if $sendsMail }}
{{- $reference := ternary (dict "name" $values.mail.existingSecret) dict (not (empty $values.mail.existingSecret)) }}
{{- include "parlance.secretVariable" (dict "root" .root "variable" "SMTP_URL" "reference" $reference) }}
{{- end }}
{{- if $signsInByProvider }}
{{- $reference := ternary (dict "name" $values.oidc.existingSecret) dict (not (empty $values.oidc.existingSecret)) }}
{{- include "parlance.secretVariable" (dict "root" .root "variable" "OIDC_CLIENT_SECRET" "reference" $reference) }}
{{- end }}
{{- range .facts.optionalSecrets }}
{{- include "parlance.secretVariable" (dict "root" $.root "variable" . "optional" true) }}
{{- end }}
{{- with .service.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The secret variables that a service needs. A worker keeps speech in Redis only if its engines file says so. */}}
{{- define "parlance.secretsOf" -}}
{{- $secrets := default list .facts.secrets }}
{{- if and (eq .name "tts") (dig "cache" "redis" "" .root.Values.engines) }}
  {{- $secrets = append $secrets "REDIS_URL" }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{- define "parlance.secretName" -}}
{{- .Values.secrets.existingSecret | default (printf "%s-secrets" (include "parlance.fullname" .)) -}}
{{- end }}

{{/* (dict "root" $ "variable" "REDIS_URL" "optional" false "reference" dict): where it is, unless the values say so. */}}
{{- define "parlance.secretVariable" }}
{{- $reference := .reference | default (dig .variable dict .root.Values.secrets.references) }}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.name | default (include "parlance.secretName" .root) }}
      key: {{ $reference.key | default .variable }}
      {{- if and .optional (not $reference) }}
      optional: true
      {{- end }}
{{- end }}

{{/* The address of NATS, and how the service authenticates, as far as it is no secret: a map. */}}
{{- define "parlance.natsVariables" -}}
{{- $nats := .root.Values.nats }}
{{- $url := $nats.url }}
{{- if .root.Values.trial.nats.enabled }}
  {{- $url = printf "nats://%s-nats:4222" (include "parlance.fullname" .root) }}
{{- end }}
NATS_URL: {{ required "nats.url is required: the address of your NATS, such as nats://nats.nats:4222" $url | quote }}
{{- if $nats.privateInboxes }}
NATS_INBOX_PREFIX: _INBOX_{{ .name }}
{{- end }}
{{- if eq $nats.authentication "user" }}
NATS_USER: {{ .name }}
{{- else if eq $nats.authentication "nkey" }}
NATS_NKEY_SEED_FILE: /etc/parlance/nats/{{ .name }}.nk
{{- else if eq $nats.authentication "creds" }}
NATS_CREDS_FILE: /etc/parlance/nats/{{ .name }}.creds
{{- end }}
{{- if $nats.tls.existingSecret }}
NATS_TLS_CA_FILE: /etc/parlance/nats-tls/ca.crt
{{- if $nats.tls.clientCertificate }}
NATS_TLS_CERT_FILE: /etc/parlance/nats-tls/tls.crt
NATS_TLS_KEY_FILE: /etc/parlance/nats-tls/tls.key
{{- end }}
{{- end }}
{{- end }}

{{/* The Secret with what services authenticate with: of the values, or that which the chart makes for a trial. */}}
{{- define "parlance.natsSecretName" -}}
{{- $name := .Values.nats.existingSecret }}
{{- if and (not $name) .Values.secrets.create (eq .Values.nats.authentication "user") }}
  {{- $name = include "parlance.secretName" . }}
{{- end }}
{{- required (printf "nats.existingSecret is required with nats.authentication: %s" .Values.nats.authentication) $name }}
{{- end }}

{{/* The users of NATS, in the order of files/nats-users.conf: the services, and the command line. */}}
{{- define "parlance.natsUsers" -}}
{{- append (keys (.Files.Get "files/services.yaml" | fromYaml) | sortAlpha) "cli" | toJson }}
{{- end }}

{{- define "parlance.natsSecrets" }}
{{- $nats := .root.Values.nats }}
{{- if eq $nats.authentication "token" }}
- name: NATS_TOKEN
  valueFrom: { secretKeyRef: { name: {{ include "parlance.natsSecretName" .root }}, key: token } }
{{- else if eq $nats.authentication "user" }}
- name: NATS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "parlance.natsSecretName" .root }}, key: {{ .name }}.password } }
{{- end }}
{{- end }}

{{/* The volumes with files for NATS: of a Secret with the files of all services, a pod gets its own. */}}
{{- define "parlance.natsVolumes" }}
{{- $nats := .root.Values.nats }}
{{- if has $nats.authentication (list "nkey" "creds") }}
{{- $file := printf "%s.%s" .name (ternary "nk" "creds" (eq $nats.authentication "nkey")) }}
- name: nats
  secret: { secretName: {{ include "parlance.natsSecretName" .root }}, items: [{ key: {{ $file }}, path: {{ $file }} }] }
{{- end }}
{{- with $nats.tls.existingSecret }}
- name: nats-tls
  secret: { secretName: {{ . }} }
{{- end }}
{{- end }}

{{- define "parlance.natsVolumeMounts" }}
{{- $nats := .root.Values.nats }}
{{- if has $nats.authentication (list "nkey" "creds") }}
- { name: nats, mountPath: /etc/parlance/nats, readOnly: true }
{{- end }}
{{- if $nats.tls.existingSecret }}
- { name: nats-tls, mountPath: /etc/parlance/nats-tls, readOnly: true }
{{- end }}
{{- end }}
