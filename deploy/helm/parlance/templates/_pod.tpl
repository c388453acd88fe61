{{/* What Pod Security "restricted" requires of a pod, and what the values add. */}}
{{- define "parlance.podSecurityContext" -}}
{{- $restricted := dict "runAsNonRoot" true "runAsUser" 1000 "runAsGroup" 1000 "fsGroup" 1000 "fsGroupChangePolicy" "OnRootMismatch" "seccompProfile" (dict "type" "RuntimeDefault") }}
{{- mustMergeOverwrite $restricted (default dict .) | toYaml }}
{{- end }}

{{- define "parlance.containerSecurityContext" -}}
{{- $restricted := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) }}
{{- mustMergeOverwrite $restricted (default dict .) | toYaml }}
{{- end }}

{{/* The beginning of the specification of any pod with Parlance's image. */}}
{{- define "parlance.podBase" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
A container that runs once: (dict "root" $ "name" … "command" list "environment" text "mounts" text "resources" dict), with what the
values add to it in "service".
*/}}
{{- define "parlance.task" -}}
{{- $service := default dict .service -}}
name: {{ .name }}
image: {{ include "parlance.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command:
  {{- toYaml .command | nindent 2 }}
{{- if or .environment $service.extraEnv }}
env:
  {{- with .environment }}
  {{- . | trim | nindent 2 }}
  {{- end }}
  {{- with $service.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- with $service.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "parlance.containerSecurityContext" $service.containerSecurityContext | nindent 2 }}
{{- with .resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with .mounts }}
  {{- . | trim | nindent 2 }}
  {{- end }}
  {{- with $service.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Where the pods of a block of values may run, by what, and how they find names. */}}
{{- define "parlance.placement" }}
{{- $block := . }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" "runtimeClassName" "hostAliases" "dnsPolicy" "dnsConfig" }}
{{- with get $block $key }}
{{ $key }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* The command of a service. A replica behind a load balancer of its own announces the address in its place of the list. */}}
{{- define "parlance.command" -}}
{{- $main := printf "services/%s/dist/main.js" .name }}
{{- $media := .root.Values.media }}
{{- if and (eq .name "sessions") (eq $media.mode "loadBalancer") $media.loadBalancer.addresses }}
- sh
- -ec
- |
  set -- {{ join " " $media.loadBalancer.addresses }}
  shift "${HOSTNAME##*-}"
  SESSION_ANNOUNCED_ADDRESS=$1 exec node {{ $main }}
{{- else }}
- node
- {{ $main }}
{{- end }}
{{- end }}

{{- define "parlance.probes" -}}
{{- $probes := .service.probes }}
{{- /* It waits within one probe, as each failure is a warning. */}}
startupProbe:
  exec:
    command:
      - node
      - -e
      - >-
        const wait = () => setTimeout(ask, 250);
        const health = { host: process.env.HOST || '127.0.0.1', port: process.env.HEALTH_PORT, path: '/readyz' };
        const ask = () => require('node:http').get(health, (answer) =>
        answer.resume().statusCode === 200 ? process.exit(0) : wait()).on('error', wait);
        ask()
  {{- toYaml $probes.startup | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: health }
  {{- toYaml $probes.readiness | nindent 2 }}
livenessProbe:
  httpGet: { path: /healthz, port: health }
  {{- toYaml $probes.liveness | nindent 2 }}
{{- end }}

{{- define "parlance.topologySpread" -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "parlance.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{- define "parlance.volumes" -}}
- name: tmp
  emptyDir: {}
- name: rollout
  projected:
    sources:
      - configMap: { name: {{ include "parlance.fullname" .root }}-rollout }
      - configMap: { name: {{ include "parlance.fullname" .root }}-rollback, optional: true }
{{- include "parlance.natsVolumes" . }}
{{- if and (eq .name "tts") .root.Values.engines }}
- name: engines
  configMap: { name: {{ include "parlance.fullname" .root }}-engines }
{{- end }}
{{- if and .facts.models .root.Values.models.enabled }}
- name: models
  persistentVolumeClaim: { claimName: {{ include "parlance.modelsClaim" .root }}, readOnly: true }
{{- end }}
{{- with .service.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "parlance.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- include "parlance.natsVolumeMounts" . }}
{{- if and (eq .name "tts") .root.Values.engines }}
- { name: engines, mountPath: /etc/parlance/engines, readOnly: true }
{{- end }}
{{- if and .facts.models .root.Values.models.enabled }}
- { name: models, mountPath: /srv/models, readOnly: true }
{{- end }}
{{- with .service.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
A container that waits for the turn of its service in an upgrade or roll-back, so that the processes that start leave the processor
to those that serve. tts is last, as speech takes most of it. A pod that starts at another time, and those of an installation, wait
for nothing.
*/}}
{{- define "parlance.turnWait" -}}
{{- $last := "tts" }}
{{- $names := append (without (keys (.root.Files.Get "files/services.yaml" | fromYaml) | sortAlpha) $last) $last }}
{{- $index := 0 }}
{{- range $position, $name := $names }}{{ if eq $name $.name }}{{ $index = $position }}{{ end }}{{ end }}
{{- $seconds := mul $index 3 }}
{{- /* Helm may take a while to send all objects after it has rendered them. */}}
{{- $command := printf "cd /etc/parlance/rollout; if [ -e rollback ] || [ $(( $(date +%%s) - $(cat begun) )) -lt 120 ]; then sleep %d; fi" $seconds }}
{{- $resources := dict "requests" (dict "cpu" "10m" "memory" "16Mi") "limits" (dict "memory" "64Mi") }}
{{- $mounts := "- { name: rollout, mountPath: /etc/parlance/rollout, readOnly: true }" }}
{{- include "parlance.task" (dict "root" .root "name" "wait-for-turn" "command" (list "sh" "-ec" $command) "mounts" $mounts "resources" $resources) }}
{{- end }}

{{/* The container of a service. */}}
{{- define "parlance.container" -}}
name: {{ .name }}
image: {{ include "parlance.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command:
  {{- include "parlance.command" . | trim | nindent 2 }}
env:
  {{- include "parlance.environment" . | trim | nindent 2 }}
{{- with .service.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - { name: health, containerPort: 8081 }
  {{- if eq .name "gateway" }}
  - { name: http, containerPort: 8080 }
  {{- end }}
  {{- if eq .name "sessions" }}
  - { name: media, containerPort: {{ .root.Values.media.port }}, protocol: UDP }
  {{- end }}
{{ include "parlance.probes" . }}
{{- /* Kubernetes before 1.33 refuses a sleep of 0 s. */}}
{{- with .service.preStopSeconds }}
lifecycle:
  preStop: { sleep: { seconds: {{ . }} } }
{{- end }}
resources:
  {{- toYaml .service.resources | nindent 2 }}
securityContext:
  {{- include "parlance.containerSecurityContext" .service.containerSecurityContext | nindent 2 }}
volumeMounts:
  {{- include "parlance.volumeMounts" . | nindent 2 }}
{{- end }}

{{/* The template of a service's pods. */}}
{{- define "parlance.pod" -}}
{{- $service := .service }}
metadata:
  labels:
    {{- include "parlance.labels" . | nindent 4 }}
    {{- with $service.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- $checksum := ternary (dict "parlance/engines" (toJson .root.Values.engines | sha256sum)) dict (eq .name "tts") }}
  {{- with mustMergeOverwrite $checksum $service.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "parlance.withOverrides" (dict "spec" (include "parlance.podSpec" .) "overrides" $service.podOverrides) | trim | nindent 2 }}
{{- end }}

{{/* The specification of a pod with `podOverrides` merged into it: (dict "spec" text "overrides" dict). */}}
{{- define "parlance.withOverrides" -}}
{{- if .overrides }}
{{- mustMergeOverwrite (fromYaml .spec) (deepCopy .overrides) | toYaml }}
{{- else }}
{{- .spec }}
{{- end }}
{{- end }}

{{/* The specification of a service's pods. */}}
{{- define "parlance.podSpec" -}}
{{- $service := .service }}
{{- $onHost := and (eq .name "sessions") (eq .root.Values.media.mode "hostNetwork") }}
serviceAccountName: {{ include "parlance.serviceAccountName" . }}
{{- include "parlance.podBase" .root | nindent 0 }}
# What precedes SIGTERM, what may go on after it, and 20 s: the process ends within 15 s more by itself.
terminationGracePeriodSeconds: {{ add $service.preStopSeconds (ternary (max $service.drainSeconds 15) 15 (hasKey .facts "drainVariable")) 20 }}
{{- if $onHost }}
hostNetwork: true
{{- if not $service.dnsPolicy }}
dnsPolicy: ClusterFirstWithHostNet
{{- end }}
{{- end }}
securityContext:
  {{- include "parlance.podSecurityContext" $service.podSecurityContext | nindent 2 }}
topologySpreadConstraints:
  {{- if kindIs "invalid" $service.topologySpreadConstraints }}
  {{- include "parlance.topologySpread" . | trim | nindent 2 }}
  {{- else }}
  {{- toYaml $service.topologySpreadConstraints | nindent 2 }}
  {{- end }}
{{- include "parlance.placement" $service | nindent 0 }}
{{- $waits := and (eq .name "tts") .root.Values.engines (include "parlance.modelsToInstall" .root) }}
initContainers:
  - {{- include "parlance.turnWait" . | nindent 4 }}
  {{- if $waits }}
  - {{- include "parlance.modelsWait" .root | nindent 4 }}
  {{- end }}
  {{- with $service.initContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
containers:
  - {{- include "parlance.container" . | nindent 4 }}
  {{- with $service.extraContainers }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumes:
  {{- include "parlance.volumes" . | nindent 2 }}
{{- end }}
