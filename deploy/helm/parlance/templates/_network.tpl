{{/* A rule to a server: (dict "key" "to" "peers" list "ports" list "protocol" "TCP"). Without peers it holds for all. */}}
{{- define "parlance.networkRule" }}
- {{ if .peers }}{{ .key }}:
    {{- toYaml .peers | nindent 4 }}
  {{ end }}ports:
    {{- range .ports }}
    - { protocol: {{ $.protocol | default "TCP" }}, port: {{ . }} }
    {{- end }}
{{- end }}

{{/* The pods of components, as a list of one peer: (dict "root" $ "components" list). */}}
{{- define "parlance.peers" -}}
- podSelector:
    matchLabels: { app.kubernetes.io/instance: {{ .root.Release.Name }} }
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: In, values: {{ toJson .components }} }
{{- end }}

{{/* A rule to a server of the values, or to that of a trial: (dict "root" $ "server" "nats"). */}}
{{- define "parlance.serverRule" -}}
{{- $policy := get .root.Values.networkPolicy .server }}
{{- $peers := $policy.to }}
{{- if (get .root.Values.trial .server).enabled }}
  {{- $peers = include "parlance.peers" (dict "root" .root "components" (list .server)) | fromYamlArray }}
{{- end }}
{{- include "parlance.networkRule" (dict "key" "to" "peers" $peers "ports" (list $policy.port)) }}
{{- end }}

{{/* Rules to the servers of networkPolicy.servers that a service uses. Those of files/known-servers.yaml need a namespace alone. */}}
{{- define "parlance.namedServersRules" }}
{{- $known := .root.Files.Get "files/known-servers.yaml" | fromYaml }}
{{- $services := .root.Files.Get "files/services.yaml" | fromYaml }}
{{- range $name, $given := .root.Values.networkPolicy.servers }}
  {{- $server := merge (dict) $given (default dict (get $known $name)) }}
  {{- range $key := list "port" "services" }}
    {{- if not (get $server $key) }}
    {{- fail (printf "networkPolicy.servers.%s.%s is required, as the chart knows no server of this name but %s" $name $key (keys $known | sortAlpha | join ", ")) }}
    {{- end }}
  {{- end }}
  {{- range $server.services }}
    {{- if not (get $services .) }}
    {{- fail (printf "networkPolicy.servers.%s.services: there is no service %s, but %s" $name . (keys $services | sortAlpha | join ", ")) }}
    {{- end }}
  {{- end }}
  {{- if has $.name $server.services }}
  {{- $peer := dict "namespaceSelector" (dict "matchLabels" (dict "kubernetes.io/metadata.name" $server.namespace)) }}
  {{- with $server.podLabels }}{{ $_ := set $peer "podSelector" (dict "matchLabels" .) }}{{ end }}
  {{- include "parlance.networkRule" (dict "key" "to" "peers" (list $peer) "ports" (list $server.port)) }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "parlance.dnsRule" }}
{{- $peers := .Values.networkPolicy.dns.to }}
{{- include "parlance.networkRule" (dict "key" "to" "peers" $peers "ports" (list 53)) }}
{{- include "parlance.networkRule" (dict "key" "to" "peers" $peers "ports" (list 53) "protocol" "UDP") }}
{{- end }}

{{/* Whether a block of IPv4 addresses has 169.254.0.0/16 in it: "true" or nothing. */}}
{{- define "parlance.hasLinkLocal" -}}
{{- $parts := splitList "/" . }}
{{- if and (not (contains ":" .)) (eq (len $parts) 2) (le (int (last $parts)) 16) }}
  {{- $size := 1 }}
  {{- range until (int (sub 16 (int (last $parts)))) }}{{ $size = mul $size 2 }}{{ end }}
  {{- $bytes := splitList "." (first $parts) }}
  {{- $first := add (mul 256 (int (index $bytes 0))) (int (index $bytes 1)) }}
  {{- if eq (div $first $size) (div (add (mul 256 169) 254) $size) }}true{{ end }}
{{- end }}
{{- end }}

{{/* A rule may except only what is in its block. */}}
{{- define "parlance.internetRule" }}
{{- $internet := .Values.networkPolicy.internet }}
{{- $block := dict "cidr" $internet.cidr }}
{{- $except := $internet.except }}
{{- if not (include "parlance.hasLinkLocal" $internet.cidr) }}{{ $except = without $except "169.254.0.0/16" }}{{ end }}
{{- with $except }}{{ $_ := set $block "except" . }}{{ end }}
{{- include "parlance.networkRule" (dict "key" "to" "peers" (list (dict "ipBlock" $block)) "ports" $internet.ports) }}
{{- end }}

{{/* The TCP ports of the TURN servers that sessions are given, and the standard ones where none are: a list in JSON. */}}
{{- define "parlance.turnPorts" -}}
{{- $ports := list }}
{{- range $url := splitList "," (default "" (get .env "TURN_URLS")) }}
  {{- if contains ":" $url }}
  {{- $port := regexFind ":[0-9]+$" (trim (first (splitList "?" $url))) | trimPrefix ":" }}
  {{- $ports = append $ports (int (default (ternary 5349 3478 (hasPrefix "turns:" (trim $url))) $port)) }}
  {{- end }}
{{- end }}
{{- uniq $ports | default (list 3478 5349) | toJson }}
{{- end }}

{{/* What a service may reach, and what may reach it; the rest is denied. */}}
{{- define "parlance.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy }}
{{- if $policy.enabled }}
{{- $secrets := include "parlance.secretsOf" . | fromYamlArray }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
{{ include "parlance.metadata" . }}
spec:
  podSelector:
    matchLabels:
      {{- include "parlance.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- include "parlance.networkRule" (dict "key" "from" "peers" $policy.prometheus "ports" (list "health")) | nindent 4 }}
    {{- if eq .name "gateway" }}
    {{- $clients := $policy.clients }}
    {{- if and $clients .root.Values.tests.enabled }}
      {{- $clients = concat $clients (include "parlance.peers" (dict "root" .root "components" (list "speech-test")) | fromYamlArray) }}
    {{- end }}
    {{- include "parlance.networkRule" (dict "key" "from" "peers" $clients "ports" (list "http")) | nindent 4 }}
    {{- end }}
    {{- if eq .name "sessions" }}
    {{- include "parlance.networkRule" (dict "ports" (list "media") "protocol" "UDP") | nindent 4 }}
    {{- end }}
    {{- with .service.networkPolicy.extraIngress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  egress:
    {{- include "parlance.dnsRule" .root | nindent 4 }}
    {{- include "parlance.serverRule" (dict "root" .root "server" "nats") | nindent 4 }}
    {{- if has "REDIS_URL" $secrets }}
    {{- include "parlance.serverRule" (dict "root" .root "server" "redis") | nindent 4 }}
    {{- end }}
    {{- if has "DATABASE_URL" $secrets }}
    {{- include "parlance.serverRule" (dict "root" .root "server" "postgres") | nindent 4 }}
    {{- end }}
    {{- if and (eq .name "auth") .root.Values.mail.from }}
    {{- include "parlance.networkRule" (dict "key" "to" "peers" $policy.smtp.to "ports" $policy.smtp.ports) | nindent 4 }}
    {{- end }}
    {{- if and (eq .name "auth") .root.Values.oidc.issuer }}
    {{- include "parlance.networkRule" (dict "key" "to" "peers" $policy.oidc.to "ports" $policy.oidc.ports) | nindent 4 }}
    {{- end }}
    {{- with $policy.telemetry.port }}
    {{- include "parlance.networkRule" (dict "key" "to" "peers" $policy.telemetry.to "ports" (list .)) | nindent 4 }}
    {{- end }}
    {{- if .facts.internet }}
    {{- include "parlance.internetRule" .root | nindent 4 }}
    {{- end }}
    {{- with include "parlance.namedServersRules" . | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- if .facts.media }}
    # Media go to the ports of peers, which are any.
    - ports: [{ protocol: UDP, port: 1024, endPort: 65535 }]
    {{- end }}
    {{- with .service.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end }}
