SELECT count(*) AS c0
FROM logs_words AS w1
WHERE w1.logs_words MATCH :words
