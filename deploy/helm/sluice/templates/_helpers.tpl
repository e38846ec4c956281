{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.config" -}}
serve:
  data: /data
  host: 0.0.0.0
  port: 7400
  keys: /etc/sluice/keys/keys.json
{{- if .Values.tlsSecret }}
  tls-cert: /etc/sluice/tls/tls.crt
  tls-key: /etc/sluice/tls/tls.key
{{- end }}
{{- with .Values.serve }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end }}
