{{/* The name that all objects of the release begin with. Short enough for the longest of their suffixes. */}}
{{- define "parlance.fullname" -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) -}}
{{- default $name .Values.fullnameOverride | trunc 36 | trimSuffix "-" -}}
{{- end }}

{{/* Of a component: (dict "root" $ "name" "gateway"). */}}
{{- define "parlance.name" -}}
{{ include "parlance.fullname" .root }}-{{ .name }}
{{- end }}

{{/* Fails for a value that no label can have. */}}
{{- define "parlance.checkLabel" -}}
{{- if not (regexMatch "^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$" .value) }}
  {{- fail (printf "%s: %q is the value of a label, so it must have at most 63 letters, digits, -, _ and ., and begin and end with a letter or digit" .of .value) }}
{{- end }}
{{- end }}

{{- define "parlance.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "parlance.labels" -}}
{{ include "parlance.selector" . }}
app.kubernetes.io/part-of: parlance
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The metadata of an object: "suffix" follows the component's name, "annotations" are its own. */}}
{{- define "parlance.metadata" -}}
metadata:
  name: {{ include "parlance.name" . }}{{ with .suffix }}-{{ . }}{{ end }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parlance.labels" . | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge (dict) (default dict .annotations) .root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "parlance.image" -}}
{{- $image := .Values.image -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- $image.repository -}}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* The values of a service: its block over the defaults. */}}
{{- define "parlance.service" -}}
{{- mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values.services .name)) | toYaml -}}
{{- end }}

{{/* How many replicas a service may have at once. */}}
{{- define "parlance.maxReplicas" -}}
{{- if .service.autoscaling.enabled }}{{ .service.autoscaling.maxReplicas }}{{ else }}{{ .service.replicas }}{{ end -}}
{{- end }}

{{/* A scalar as a variable's value: whole numbers without an exponent. */}}
{{- define "parlance.scalar" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end -}}
{{- end }}
