# The server in one image. Data (database, secret, unsent mail) live in the volume /var/lib/gm.
#   docker build -t gm . && docker run -v gm:/var/lib/gm -p 8025:8025 -p 8080:8080 -e GM_DOMAIN=play.example.org gm

# The newest patch of 3.11: earlier ones let an encoded line end in a header become a header (CVE-2024-6923).
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN python -m venv /opt/gm && /opt/gm/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY gm gm
COPY templates templates
COPY migrations migrations
RUN /opt/gm/bin/pip install --no-cache-dir --no-deps --no-build-isolation .
# For PostgreSQL: docker build --build-arg POSTGRESQL=yes
ARG POSTGRESQL=""
RUN if [ -n "$POSTGRESQL" ]; then /opt/gm/bin/pip install --no-cache-dir "psycopg[binary]>=3.2"; fi

FROM python:3.11-slim
RUN useradd --system --home-dir /var/lib/gm --create-home gm
COPY --from=build /opt/gm /opt/gm
COPY config/gm.toml /etc/gm/gm.toml
# A container's loopback is its own: here the listeners must be open, and Docker decides who reaches them.
ENV PATH=/opt/gm/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    GM_CONFIG=/etc/gm/gm.toml \
    GM_DATA_DIR=/var/lib/gm \
    GM_SMTP_HOST=0.0.0.0 \
    GM_LMTP_HOST=0.0.0.0 \
    GM_WEB_HOST=0.0.0.0
USER gm
WORKDIR /var/lib/gm
VOLUME /var/lib/gm
EXPOSE 8025 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import smtplib; smtplib.SMTP('127.0.0.1', 8025, timeout=4).noop()"]
CMD ["gm", "run"]
